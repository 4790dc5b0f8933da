import type { Lexicon } from '../lexicon/lexicon'
import type { WordVectors } from '../meaning/wordVectors'
import { wordFeature } from './features'
import { fold, plainCase } from './fold'
import type { LexicalIndex } from './lexicalIndex'
import { tokenize } from './words'

/** What a chatbot and its languages know of words, each in lower case without marks. */
export interface Vocabulary {
  /** how many chunks have a word */
  chunks(word: string): number
  /** how frequent a word is in the languages of our vectors, a logarithm from 1 to 255; 0: it is no word there */
  frequency(word: string): number
  /** whether the lexicon has it */
  isNamed(word: string): boolean
  /** whether it is an inflection of a word that has a vector, roughly */
  isInflected(word: string): boolean
}

/** What chunks and vectors know. */
export const vocabularyOf = (index: LexicalIndex, lexicon: Lexicon, vectors: WordVectors): Vocabulary => ({
  chunks: (word) => index.count(wordFeature(word)),
  frequency: (word) => vectors.frequency(word),
  isNamed: (word) => lexicon.find([word]).length > 0,
  isInflected: (word) => vectors.has(word),
})

/** Shorter words have too many neighbours; longer ones are none. */
const SHORTEST = 4
const LONGEST = 24
/** A part of a compound has so many letters at least, and between two there may be others. */
const PART = 4
const LINKS = ['', 's', 'n', 'en', 'es', 'e']
/** From here on a word is one; rarer ones may be mistakes that the texts have too. */
const KNOWN = 20
/** Shorter words are mended to those that chunks have, and to no other. */
const LONG = 6
/** What a word is mended to stands so often in its language at least: once in some 200,000 words. */
const USUAL = 45
/** Unknown words of a question that are looked at. */
const MOST = 8
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const PLAIN = /^[a-z]+$/
const WORD = /[\p{L}\p{M}]{4,}/gu

/**
 * Mends words of a question that neither a chunk nor a language has, if one letter left out, added, changed or swapped
 * with its neighbour makes one that the chatbot has, or else one of the languages'. Only words in Latin letters.
 * @returns the question with these words instead; others stay as they were typed
 */
export function mendSpelling(question: string, vocabulary: Vocabulary): string {
  const mended = new Map<string, string>()
  let looked = 0
  for (const typed of new Set(tokenize(question))) {
    const word = fold(typed)
    if (word.length < SHORTEST || word.length > LONGEST || !PLAIN.test(word)) continue
    if (vocabulary.chunks(typed) > 0 || vocabulary.chunks(word) > 0) continue
    if (vocabulary.frequency(word) >= KNOWN || vocabulary.isNamed(word)) continue
    if (looked++ === MOST) break
    const better = nearest(word, vocabulary, mayBeRight(word, vocabulary))
    if (better !== null) mended.set(typed, better)
  }
  return mended.size === 0 ? question : question.replace(WORD, (word) => mended.get(plainCase(word)) ?? word)
}

/**
 * Whether a word may be one though it is rare: an inflection, or a compound of two. Short ones have many neighbours.
 */
function mayBeRight(word: string, { frequency, isInflected }: Vocabulary): boolean {
  if (word.length < LONG || frequency(word) > 0 || isInflected(word)) return true
  for (let end = PART; end <= word.length - PART; end++)
    if (frequency(word.slice(end)) >= USUAL)
      for (const link of LINKS) {
        const first = word.slice(0, end - link.length)
        if (first.length >= PART && first + link === word.slice(0, end) && frequency(first) >= USUAL) return true
      }
  return false
}

/**
 * The word in most chunks of those one mistake away; else the most frequent one of the languages'.
 * @param onlyOwn only words of chunks
 */
function nearest(word: string, { chunks, frequency }: Vocabulary, onlyOwn: boolean): string | null {
  let best: string | null = null
  let most = 0
  let spoken: string | null = null
  let usual = 0
  for (const [candidate, likely] of oneMistakeAway(word)) {
    const here = chunks(candidate) * likely
    if (here > most) {
      most = here
      best = candidate
    }
    const known = most > 0 || onlyOwn ? 0 : frequency(candidate)
    const there = known < USUAL ? 0 : known + likely * LIKELY
    if (there > usual) {
      usual = there
      spoken = candidate
    }
  }
  return best ?? spoken
}

/** What a likely mistake counts beside the logarithm of how frequent the word is. */
const LIKELY = 24
/** Mistakes at the beginning of a word are rare. */
const AT_FIRST = 0.2
/** Letters that were swapped, doubled or forgotten are likelier than wrong ones. */
const SLIP = 2

function* oneMistakeAway(word: string): Iterable<[word: string, likely: number]> {
  for (let at = 0; at <= word.length; at++) {
    const before = word.slice(0, at)
    const after = word.slice(at)
    const place = at === 0 ? AT_FIRST : 1
    if (after.length > 1) yield [`${before}${after[1]}${after[0]}${after.slice(2)}`, place * SLIP]
    if (after.length > 0) yield [before + after.slice(1), place * (after[0] === word[at - 1] ? 2 * SLIP : 1)]
    for (const letter of LETTERS) {
      yield [before + letter + after, place * (letter === word[at - 1] ? 2 * SLIP : SLIP)]
      if (after.length > 0) yield [before + letter + after.slice(1), place]
    }
  }
}
