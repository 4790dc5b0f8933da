import { fold } from './fold'

/** What is looked up: words, pairs of neighbouring words, pieces of words. */
export const KINDS = 3
export const WORDS = 0
export const PAIRS = 1
export const PIECES = 2

/** Of letters; a piece of a script whose signs are syllables or words is shorter. */
const PIECE = 4
const SHORT_PIECE = 2
const SYLLABIC = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u

/** The features of words as 32-bit numbers, a list a kind, in the order of the text and as often as they stand there. */
export function featuresOf(words: readonly string[]): [words: number[], pairs: number[], pieces: number[]] {
  const single = words.map((word) => hash(word, WORDS))
  const pairs = words.slice(1).map((word, at) => hash(`${words[at]} ${word}`, PAIRS))
  return [single, pairs, words.flatMap(piecesOf)]
}

/** The same words without their marks. */
export const foldAll = (words: readonly string[]): string[] => words.map(fold)

function piecesOf(word: string): number[] {
  const size = SYLLABIC.test(word) ? SHORT_PIECE : PIECE
  const padded = `_${word}_`
  if (padded.length <= size) return [hash(padded, PIECES)]
  const pieces: number[] = []
  for (let at = 0; at + size <= padded.length; at++) pieces.push(hash(padded, PIECES, at, at + size))
  return pieces
}

/** FNV-1a with a last mix, a seed a kind. Of ten million pairs one in 430 shares its number with another: no matter. */
function hash(text: string, kind: number, from = 0, to = text.length): number {
  let value = 0x811c9dc5 ^ Math.imul(kind + 1, 0x9e3779b1)
  for (let at = from; at < to; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
