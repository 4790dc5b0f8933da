import { expect, test } from 'vitest'
import { joinLikeness, measureLikeness } from './likeness'

/** A model with three meanings: money, parcels, anything else; each text has a little of all of them. */
const means = (money: number, parcel: number, other: number) => [money + 0.1, parcel + 0.1, other + 0.1]
const intents = [
  { blockId: 'refund', phrases: ['a', 'b', 'c'] },
  { blockId: 'delivery', phrases: ['d', 'e'] },
]
const likeness = measureLikeness(intents, [
  means(1, 0, 0),
  means(0.9, 0, 0.1),
  means(1, 0.1, 0),
  means(0, 1, 0),
  means(0, 0.9, 0.1),
  means(0, 0, 1),
  means(0.2, 0, 0.9),
  means(0, 0.2, 1),
])
const join = (text: number[], words: { blockId: string; confidence: number }[] = []) =>
  joinLikeness(words, likeness, text, 0.7).map(({ blockId }) => blockId)

test('recognises by meaning what no word says', () => {
  expect(join(means(1, 0, 0.05))).toEqual(['refund'])
  expect(join(means(0, 1, 0))).toEqual(['delivery'])
})

test('what is about other things fits nothing, whatever the model calls alike', () => {
  expect(join(means(0, 0, 1))).toEqual([])
  expect(join(means(0.2, 0, 1))).toEqual([])
})

test('words alone are enough, and half-sure voices add up', () => {
  expect(join(means(0, 0, 1), [{ blockId: 'refund', confidence: 0.9 }])).toEqual(['refund'])
  const unsure = means(0.4, 0, 0.6)
  expect(join(unsure)).toEqual([])
  expect(join(unsure, [{ blockId: 'refund', confidence: 0.6 }])).toEqual(['refund'])
})

test('an empty vector, no strangers, an intent of one phrase: no harm', () => {
  const lonely = measureLikeness([{ blockId: 'x', phrases: ['a'] }], [[1, 0]])
  expect(joinLikeness([], lonely, [], 0.7)).toEqual([])
  expect(joinLikeness([], lonely, [1, 0], 0.7)).toEqual([{ blockId: 'x', confidence: 1 }])
})
