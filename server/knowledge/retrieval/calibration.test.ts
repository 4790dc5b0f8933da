import { expect, test } from 'vitest'
import { calibrationOf, judge } from './calibration'
import { thresholdOf } from './confidence'
import { madeUpQuestions } from './madeUp'
import { wordsOf } from './words'

const calibration = { words: { unsure: 1, sure: 2 }, vectors: { model: 'm', mean: 0.3, deviation: 0.1 } }
const zoneOf = (words: number, cosine: { model: string; value: number } | null = null) =>
  judge({ words, cosine }, calibration).zone

test('there are three zones, and confidence is even where the second begins', () => {
  expect([zoneOf(0.9), zoneOf(1), zoneOf(1.9), zoneOf(2)]).toEqual(['unknown', 'unsure', 'unsure', 'confident'])
  expect(judge({ words: 1, cosine: null }, calibration).confidence).toBe(0.5)
})

test('meaning alone is enough, where its model is the one that was calibrated', () => {
  expect(zoneOf(0, { model: 'm', value: 0.5 })).toBe('unknown')
  expect(zoneOf(0, { model: 'm', value: 0.6 })).toBe('unsure')
  expect(zoneOf(0, { model: 'm', value: 0.7 })).toBe('confident')
  expect(zoneOf(0, { model: 'other', value: 0.7 })).toBe('unknown')
})

test('few of the unrelated questions may pass for possible ones, fewer for good ones', () => {
  const unrelated = Array.from({ length: 100 }, (_, at) => at / 50)
  const { unsure, sure } = thresholdOf(unrelated)
  const above = (bar: number) => unrelated.filter((value) => value > bar).length
  expect(above(unsure)).toBeLessThanOrEqual(8)
  expect(above(sure)).toBeLessThanOrEqual(2)
})

test('what was stored in another form counts as not calibrated', () => {
  expect(calibrationOf({ words: 'x' })).toEqual(calibrationOf(null))
})

test('made-up questions keep the common words of a language and are the same each time', () => {
  const texts = Array.from(
    { length: 20 },
    (_, at) => `der hund von nummer${at} sitzt in einem haus und der tag${at} ist lang`,
  )
  const questions = madeUpQuestions(texts)
  expect(questions).toEqual(madeUpQuestions(texts))
  expect(questions.flatMap(wordsOf)).toContain('der')
  expect(madeUpQuestions([])).toEqual([])
})
