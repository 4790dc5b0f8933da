import { expect, test } from 'vitest'
import { CALIBRATION_FORM, type Calibration, calibrationOf, judge } from './calibration'
import { thresholdOf, UNCALIBRATED } from './confidence'
import { madeUpQuestions } from './madeUp'
import { tokenize } from './words'

const calibration: Calibration = {
  form: CALIBRATION_FORM,
  words: { unsure: 1, sure: 2 },
  vectors: { model: 'm', mean: 0.3, deviation: 0.1 },
}
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

test('the farther unrelated questions reach, the later answers begin: within bounds, and by one question nothing changes', () => {
  const none = thresholdOf([])
  expect(none).toEqual(UNCALIBRATED)
  const reaching = (most: number) => thresholdOf(Array.from({ length: 100 }, (_, at) => most - at / 10))
  expect(reaching(4).unsure).toBeGreaterThan(reaching(2).unsure)
  expect(reaching(4).sure - reaching(4).unsure).toBeCloseTo(none.sure - none.unsure)
  expect(reaching(1_000)).toEqual(reaching(2_000))
  expect(reaching(-1_000)).toEqual(reaching(-2_000))
  const many = Array.from({ length: 100 }, (_, at) => -at / 10)
  expect(thresholdOf([...many.slice(1), 50])).toEqual(thresholdOf(many))
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
  expect(questions.flatMap(tokenize)).toContain('der')
  expect(madeUpQuestions([])).toEqual([])
})
