import { expect, test } from 'vitest'
import { differenceText, messageText } from './recordingWords'

test('a card without a description is its title alone', () => {
  const card = { id: 'a', title: 'Racing bike', description: '', buttons: [] }
  const text = messageText({ kind: 'carousel', items: [card, { ...card, id: 'b', description: 'Light' }] })
  expect(text).toBe('[card: Racing bike]\n[card: Racing bike] Light')
})

test('what a difference found is nothing, a text as it is, or a value as it is printed', () => {
  for (const type of ['left', 'path', 'set', 'asked'] as const) expect(differenceText(type, null)).toBe('nothing')
  expect(differenceText('said', [])).toBe('nothing')
  expect(differenceText('left', 'yes')).toBe('yes')
  expect(differenceText('set', { name: 'Ada' })).toBe('{"name":"Ada"}')
})
