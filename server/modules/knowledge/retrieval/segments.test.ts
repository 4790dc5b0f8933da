import { afterEach, expect, test, vi } from 'vitest'
import { rewriteByRule } from '../../agents/answering/rewriteQuestion'
import { candidatesOf } from '../extractive/signs'
import { languageOf } from './language'
import { askedOf, MOST_CHARACTERS } from './question'
import { segmentsOf, WINDOW } from './segments'
import { tokenize } from './words'

/** SPEC.md 9 */
const MESSAGE = 20_000
const MESSAGES = {
  Thai: 'ร้านเปิดทุกวันตั้งแต่เก้าโมงเช้า'.repeat(700).slice(0, MESSAGE),
  Chinese: '我们的商店每天上午九点营业'.repeat(1_600).slice(0, MESSAGE),
}

afterEach(() => vi.restoreAllMocks())

/** Lengths of the texts passed to Intl.Segmenter, whose segments each hold a copy of the whole text. */
function segmented(): number[] {
  const lengths: number[] = []
  const segment = Intl.Segmenter.prototype.segment
  vi.spyOn(Intl.Segmenter.prototype, 'segment').mockImplementation(function (this: Intl.Segmenter, text) {
    lengths.push(text.length)
    return segment.call(this, text)
  })
  return lengths
}
const sum = (lengths: readonly number[]) => lengths.reduce((total, length) => total + length, 0)

test.each(Object.entries(MESSAGES))(
  'a %s text of 20,000 characters is segmented in windows, each character about once',
  (_, text) => {
    const lengths = segmented()
    const words = tokenize(text)
    expect(words.length).toBeGreaterThan(2_000)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(WINDOW + 1)
    expect(lengths.length).toBeGreaterThanOrEqual(MESSAGE / WINDOW)
    expect(sum(lengths)).toBeLessThan(MESSAGE * 1.4)
  },
)

test.each(Object.entries(MESSAGES))(
  'of a question of 20,000 characters in %s, the beginning alone is segmented',
  async (_, text) => {
    const lengths = segmented()
    askedOf(text)
    expect(sum(lengths)).toBeLessThan(MOST_CHARACTERS * 1.4)
    rewriteByRule(text, [{ by: 'visitor', text }], null)
    expect(sum(lengths)).toBeLessThan(MOST_CHARACTERS * 4)
    await languageOf(text)
    expect(sum(lengths)).toBeLessThan(MOST_CHARACTERS * 10)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(WINDOW + 1)
  },
)

test('windows find the words that the whole text has', () => {
  const segmenter = new Intl.Segmenter('und', { granularity: 'word' })
  for (const text of Object.values(MESSAGES).map((text) => text.slice(0, 3_000))) {
    expect(Array.from(segmentsOf(segmenter, text), ({ segment }) => segment)).toEqual(
      Array.from(segmenter.segment(text), ({ segment }) => segment),
    )
  }
})

test('sentences of a long passage are made in windows too', () => {
  const lengths = segmented()
  const source = { gid: 'a', kind: 'link' as const, title: 'A', url: null }
  candidatesOf([{ id: '1', source, heading: '', text: 'One sentence. '.repeat(2_000), score: 1 }], 'Where is it?')
  expect(Math.max(...lengths)).toBeLessThan(3_000)
  expect(sum(lengths)).toBeLessThan(28_000 * 1.5)
})
