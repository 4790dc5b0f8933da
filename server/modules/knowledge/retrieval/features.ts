import { type Lexicon, noConcepts } from '../lexicon/lexicon'
import { fold } from './fold'

/** Kinds of features: words, pairs of neighbouring words, character n-grams of words, concepts of the lexicon. */
export const KINDS = 4
export const WORDS = 0
export const PAIRS = 1
export const PIECES = 2
export const CONCEPTS = 3

/** The length of n-grams: shorter in scripts whose characters are syllables, words, or consonants with vowels. */
const PIECE = 4
const OTHER_PIECES: readonly [script: RegExp, size: number][] = [
  [/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Ethiopic}]/u, 2],
  [
    /[\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}]/u,
    3,
  ],
]

/** The features of words as 32-bit hashes, a list per kind, in text order with repetitions. */
export function featuresOf(
  words: readonly string[],
  lexicon: Lexicon = noConcepts,
): [words: number[], pairs: number[], pieces: number[], concepts: number[]] {
  const single = words.map((word) => hash(word, WORDS))
  const pairs = words.slice(1).map((word, at) => hash(`${words[at]} ${word}`, PAIRS))
  return [single, pairs, words.flatMap(piecesOf), lexicon.find(words).map(({ concept }) => concept)]
}

/** The feature of one word. */
export const wordFeature = (word: string): number => hash(word, WORDS)

/** The same words without diacritics. */
export const foldAll = (words: readonly string[]): string[] => words.map(fold)

function piecesOf(word: string): number[] {
  const size = OTHER_PIECES.find(([script]) => script.test(word))?.[1] ?? PIECE
  const padded = `_${word}_`
  if (padded.length <= size) return [hash(padded, PIECES)]
  const pieces: number[] = []
  for (let at = 0; at + size <= padded.length; at++) pieces.push(hash(padded, PIECES, at, at + size))
  return pieces
}

/** FNV-1a with a final mix, seeded per kind. Of ten million pairs one in 430 collides, which is acceptable. */
function hash(text: string, kind: number, from = 0, to = text.length): number {
  let value = 0x811c9dc5 ^ Math.imul(kind + 1, 0x9e3779b1)
  for (let at = from; at < to; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
