import { cleanText } from '../../../../engine/values/cleanText'
import { type Lexicon, noConcepts } from '../lexicon/lexicon'
import { isSmallWord } from '../lexicon/smallWords'
import { CONCEPTS, featuresOf, foldAll, PAIRS, PIECES, WORDS } from './features'
import { tokenize } from './words'

/** A feature of a question: as typed, and without diacritics. The index decides which of them counts. */
export interface Asked {
  kind: number
  typed: number
  folded: number
  /** its weight by the word (as typed) that it is an n-gram of; other features are their own word */
  said: Map<number, number>
}

/**
 * Characters of a question that are read for searching, sentences, and its language: enough for `MOST_WORDS` in any
 * language. A visitor's text may be ten times as long (SPEC.md 9); a model gets all of it.
 */
export const MOST_CHARACTERS = 2_000

/** The part of a question that is read: truncate it before anything else. */
export const beginningOf = (question: string): string =>
  question.length > MOST_CHARACTERS ? cleanText(question.slice(0, MOST_CHARACTERS)) : question

/** Longer questions are texts: only their beginning is searched for. */
const MOST_WORDS = 128
/** The weight of words that connect others: in few chunks they may be as rare as those that tell. */
const SMALL = 0.5
/** The weight of each of a word's n-grams: a long word counts more than a short one, but less than in proportion. */
const shareOf = (pieces: number): number => pieces ** -0.2

/** The features to look up for a question, without duplicates. @param lexicon the one that chunks were trained with */
export function askedOf(question: string, lexicon: Lexicon = noConcepts): Asked[] {
  const words = tokenize(beginningOf(question)).slice(0, MOST_WORDS)
  const bare = foldAll(words)
  const asked = new Map<number, Asked>()
  const say = (kind: number, typed: number, folded = typed, word = typed, share = 1) => {
    const one = asked.get(typed) ?? { kind, typed, folded, said: new Map<number, number>() }
    one.said.set(word, (one.said.get(word) ?? 0) + share)
    asked.set(typed, one)
  }
  for (const [at, word] of words.entries()) {
    const [[typed = 0], , pieces] = featuresOf([word])
    const [[folded], , barePieces] = featuresOf([bare[at] ?? word])
    const share = isSmallWord(bare[at] ?? word) ? SMALL : 1
    say(WORDS, typed, folded, typed, share)
    // folding may change the number of n-grams: those without a counterpart stay as typed
    for (const [place, piece] of pieces.entries())
      say(PIECES, piece, barePieces[place], typed, share * shareOf(pieces.length))
  }
  for (const { concept, words: places } of lexicon.find(words)) {
    const [named = []] = featuresOf(places.map((at) => words[at] ?? ''))
    for (const word of named) say(CONCEPTS, concept, concept, word, 1 / named.length)
  }
  const barePairs = featuresOf(bare)[PAIRS]
  for (const [at, pair] of featuresOf(words)[PAIRS].entries()) say(PAIRS, pair, barePairs[at])
  return [...asked.values()]
}
