import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

test('a text input keeps its placeholder, its variable and its size', () => {
  const options = { isLong: true, variableId: 'v-Name', labels: { placeholder: 'Your name', button: 'Send' } }
  const { kind, data, variable, notes } = importBlock({ type: 'text input', options }, 'Name')
  expect(kind).toBe('text-input')
  expect(data).toMatchObject({ long: true, saveTo: variable, placeholder: { type: 'static', value: 'Your name' } })
  expect(notes).toEqual([])
})

test('what a text input here does not have is noted: a voice clip, a name for the button, a variable that is gone', () => {
  const options = { audioClip: { isEnabled: true }, labels: { button: 'Go' }, variableId: 'gone' }
  const { data, notes } = importBlock({ type: 'text input', options })
  expect(data.saveTo).toBeNull()
  expect(notes).toEqual([
    "The setting 'audioClip' has no counterpart here and is left out.",
    "The button that sends was called 'Go': here it has no name of its own.",
    'It uses a variable that is not in the file. Choose one.',
  ])
})

test('settings of the wrong type count as absent', () => {
  const { kind, data } = importBlock({ type: 'text input', options: { isLong: 'yes', labels: [], variableId: {} } })
  expect(kind).toBe('text-input')
  expect(data).toMatchObject({ long: false, saveTo: null })
})
