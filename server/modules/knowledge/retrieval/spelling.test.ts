import { expect, test } from 'vitest'
import { loadLexicon } from '../lexicon/loadLexicon'
import { loadWordVectors } from '../meaning/loadWordVectors'
import { mendSpelling } from './spelling'

const vectors = await loadWordVectors()
const lexicon = await loadLexicon()
const isNamed = (word: string) => lexicon.find([word]).length > 0
const frequency = (word: string) => vectors.frequency(word)
const mended = (question: string, known = '') => {
  const words = known.split(' ')
  const chunks = (word: string) => words.filter((one) => one === word).length
  return mendSpelling(question, { chunks, frequency, isNamed, isInflected: (word) => vectors.has(word) })
}

test('a word with one mistake becomes the one that the chatbot has', () => {
  const known = 'crown hygienist whitening sealant reparatur'
  expect(mended('how much is a corwn', known)).toBe('how much is a crown')
  expect(mended('Hygeinist prices?', known)).toBe('hygienist prices?')
  expect(mended('Was kostet die Reperatur', known)).toBe('Was kostet die reparatur')
})

test('a word that no chunk has is mended by its language', () => {
  expect(mended('my emergancy')).toBe('my emergency')
  expect(mended('discont for members')).toBe('discount for members')
})

test('words of any of the languages stay as they are, and so do names that the chatbot has', () => {
  for (const question of [
    'can I return the wheel',
    'Kann ich den Artikel zurückschicken?',
    'cuándo volvéis a abrir después de navidad',
    'combien coûte la couronne',
  ])
    expect(mended(question, 'returns article couronnes')).toBe(question)
  expect(mended('is tallyhour free', 'tallyhour')).toBe('is tallyhour free')
})

test('short words, numbers, other scripts and long runs of letters stay as they are', () => {
  for (const question of ['teh b2b xyzq1', 'сколько стоит корнка', 'a'.repeat(2_000), ''])
    expect(mended(question, 'the')).toBe(question)
})

test('of a question at most eight unknown words are looked at', () => {
  const unknown = Array.from({ length: 12 }, (_, at) => `qzxv${String.fromCharCode(97 + at)}kk`)
  let looked = 0
  mendSpelling(unknown.join(' '), {
    chunks: (word) => {
      looked++
      return word.length > 100 ? 1 : 0
    },
    frequency: () => 0,
    isNamed: () => false,
    isInflected: () => false,
  })
  expect(looked).toBeLessThan(8 * 500)
})
