import { expect, test } from 'vitest'
import { importBlock } from '../../tests/support/typebot'

const rating = (options: object) => importBlock({ type: 'rating input', options }, 'Score')

test('a rating keeps its scale and its variable', () => {
  const { kind, data, notes, variable } = rating({
    buttonType: 'Numbers',
    length: 7,
    startsAt: 0,
    variableId: 'v-Score',
  })
  expect(kind).toBe('satisfaction')
  expect(data).toMatchObject({ answer: 'rating', scale: 'numbers', points: 7, zero: true, required: true, low: null })
  expect([data.saveTo, notes]).toEqual([variable, []])
  expect(rating({ buttonType: 'Icons', length: 3, customIcon: { isEnabled: false } }).data).toMatchObject({
    scale: 'stars',
    points: 3,
  })
  expect(rating({}).data).toMatchObject({ scale: 'numbers', points: 10, zero: false })
})

test('the words at its ends become the question', () => {
  const { data } = rating({ length: 7, labels: { left: 'Easy', right: 'Racing' } })
  expect(data.prompt).toEqual([{ type: 'paragraph', children: [{ text: '1 = Easy, 7 = Racing' }] }])
})

test('a scale that is too long, and an icon of its own, are noted', () => {
  const options = { length: 12, buttonType: 'Icons', customIcon: { isEnabled: true, svg: '<svg/>' } }
  expect(rating(options).notes).toEqual(['Its own icon becomes a star.', 'Its scale of 12 becomes one of 10.'])
})
