import { expect, test } from 'vitest'
import { outOfFive, ratingIn } from './ratingIn'

const options = ['Bad', 'Okay', 'Good'].map((label, index) => ({ id: `o${index}`, label }))
const typed = (text: string) => ({ type: 'text' as const, text })
const chose = (...optionIds: string[]) => ({ type: 'choice' as const, optionIds })

test('a rating is an option, its words, or the number of its words', () => {
  const words = { scale: 'text' as const, options }
  expect(ratingIn(words, chose('o2'))).toEqual({ index: 2, of: 3, label: 'Good' })
  expect(ratingIn(words, typed(' okay '))).toEqual({ index: 1, of: 3, label: 'Okay' })
  expect(ratingIn(words, typed('1'))).toEqual({ index: 0, of: 3, label: 'Bad' })
  // on a scale of numbers, the number is the label
  const numbers = { scale: 'numbers' as const, options: ['0', '1', '2'].map((label) => ({ id: label, label })) }
  expect(ratingIn(numbers, typed('1'))?.index).toBe(1)
  expect(ratingIn(numbers, typed('3'))).toBeNull()
})

test('several options, none and other words are no rating', () => {
  const words = { scale: 'emoji' as const, options }
  for (const reply of [chose('o1', 'o2'), chose('x'), typed('so so'), typed(' '), { type: 'skip' as const }])
    expect(ratingIn(words, reply)).toBeNull()
})

test.each([
  [2, [1, 5]],
  [3, [1, 3, 5]],
  [5, [1, 2, 3, 4, 5]],
  [11, [1, 1, 2, 2, 3, 3, 3, 4, 4, 5, 5]],
])('a scale of %i is spread over one to five', (of, wanted) => {
  expect(wanted.map((_, index) => outOfFive({ index, of }))).toEqual(wanted)
})
