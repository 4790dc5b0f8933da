import { plainText } from '../chunks/chunkMarkdown'
import { withoutAsking } from '../extractive/asking'
import type { Lexicon } from '../lexicon/lexicon'
import { isSmallWord } from '../lexicon/smallWords'
import { stemOf } from '../lexicon/stem'
import { type Direction, directionOf } from '../meaning/direction'
import type { TaughtVectors } from '../meaning/taughtVectors'
import { cosine, type Vector, type WordVectors } from '../meaning/wordVectors'
import { featuresOf, PIECES } from '../retrieval/features'
import { fold } from '../retrieval/fold'
import type { Hits, Rarity } from '../retrieval/lexicalIndex'
import { tokenize } from '../retrieval/words'

/** What words mean, by our lexicon and by the words that they stand beside. */
export interface Meanings {
  lexicon: Lexicon
  vectors: TaughtVectors
}

/** A question, word by word. */
export interface Question {
  words: readonly AskedWord[]
  /** how many say what it is about */
  telling: number
  /** how rare its words are among the chunks, together: what a passage that says them all has of it */
  rarity: number
  /** how rare each concept is that it names, and how many chunks name it */
  concepts: ReadonlyMap<number, Rarity>
  /** where its words and concepts point together; null: none has a vector */
  direction: Direction | null
}
interface AskedWord {
  word: string
  stem: string
  /** its share of the question */
  weight: number
  pieces: ReadonlySet<number>
  concepts: ReadonlySet<number>
  /** null: it has none, or connects others */
  vector: Vector | null
}
/** What a text has of a question. */
export interface Said {
  /** for each word of the question, how far the text has it, 0 to 1: by its letters */
  letters: readonly number[]
  /** likewise, or by a concept that both name */
  meant: readonly number[]
  /** likewise, or by a word that stands beside the same words elsewhere */
  near: readonly number[]
  /** the concepts of the question that it names */
  named: ReadonlySet<number>
  /** where its words and concepts point together */
  direction: Direction | null
  /** the share of the text's own telling words that the question has or means */
  ofAsked: number
  /** likewise, or comes near to */
  ofNear: number
}

/** Words that are looked at: a longer question is a text. */
const MOST_WORDS = 48
/** The weight of words that connect others, or only ask. */
const SMALL = 0.25
/** The least similarity of two words that may be one. */
const NEAR = 0.5
const SAME_STEM = 0.95
const SAME_CONCEPT = 0.8
/** The cosine of two words from which on they have something in common. */
const RELATED = 0.2

/** @param found the rarities of its words and concepts, as the index says */
export function readQuestion(
  question: string,
  { lexicon, vectors }: Meanings,
  { rarities, concepts: named }: Pick<Hits, 'rarities' | 'concepts'>,
): Question {
  const all = tokenize(question).slice(0, MOST_WORDS)
  const telling = new Set(tokenize(withoutAsking(question)))
  const concepts = all.map(() => new Set<number>())
  const meaning = lexicon.find(all)
  for (const { concept, words } of meaning) for (const at of words) concepts[at]?.add(concept)
  const words = all.map((typed, at) => {
    const word = fold(typed)
    const [[hash = 0]] = featuresOf([typed])
    const share = isSmallWord(word) || !telling.has(typed) ? SMALL : 1
    const pieces = new Set(featuresOf([word])[PIECES])
    const weight = (rarities.get(hash)?.rarity ?? 1) * share
    const vector = share === 1 ? vectors.find(word) : null
    return { word, stem: stemOf(word), weight, pieces, concepts: concepts[at] ?? new Set<number>(), vector }
  })
  const sum = words.reduce((all, { weight }) => all + weight, 0) || 1
  return {
    words: words.map((one) => ({ ...one, weight: one.weight / sum })),
    telling: telling.size,
    rarity: sum,
    concepts: named,
    direction: directionOf([
      ...words.map(({ vector }) => vector),
      ...meaning.map(({ concept }) => vectors.concept(concept)),
    ]),
  }
}

/** The share of the question that some words of it are. */
export const shareOf = ({ words }: Question, values: readonly number[]): number =>
  words.reduce((sum, { weight }, at) => sum + weight * (values[at] ?? 0), 0)

/** The share of the question's concepts, the rare ones more, that some of them are. */
export function shareOfConcepts({ concepts }: Question, named: (concept: number) => boolean): number {
  let all = 0
  let some = 0
  for (const [concept, { rarity }] of concepts) {
    all += rarity
    if (named(concept)) some += rarity
  }
  return all === 0 ? 0 : some / all
}

/** What several texts have together. */
export const together = ({ words }: Question, lists: readonly (readonly number[])[]): number[] =>
  words.map((_, at) => lists.reduce((most, list) => Math.max(most, list[at] ?? 0), 0))

/** Reads what texts have of a question, each once. */
export function sayings(question: Question, { lexicon, vectors }: Meanings): (text: string) => Said {
  const known = new Map<string, Said>()
  const nearness = nearnessTo(question.words, vectors)
  const asked = new Set(question.words.flatMap(({ concepts }) => [...concepts]))
  return (text) => {
    const before = known.get(text)
    if (before) return before
    const said = saidBy(text, question.words, asked, { lexicon, vectors }, nearness)
    known.set(text, said)
    return said
  }
}

/** A word of a text beside those of the question. */
interface Near {
  vector: Vector | null
  /** to each word of the question, 0 to 1 */
  to: readonly number[]
}

/** Compares words with those of a question, each once. */
function nearnessTo(asked: readonly AskedWord[], vectors: WordVectors): (word: string) => Near {
  const known = new Map<string, Near>()
  const compare = (word: string): Near => {
    const vector = isSmallWord(word) ? null : vectors.find(word)
    const to = asked.map((one) =>
      vector && one.vector ? Math.max(0, (cosine(vector, one.vector) - RELATED) / (1 - RELATED)) : 0,
    )
    return { vector, to }
  }
  return (word) => {
    const near = known.get(word) ?? compare(word)
    known.set(word, near)
    return near
  }
}

function saidBy(
  text: string,
  asked: readonly AskedWord[],
  concepts: ReadonlySet<number>,
  { lexicon, vectors }: Meanings,
  nearness: (word: string) => Near,
): Said {
  const typed = tokenize(plainText(text))
  const named = new Set<number>()
  const meaning = new Set<number>()
  const found: (Vector | null)[] = []
  for (const { concept, words } of lexicon.find(typed)) {
    found.push(vectors.concept(concept))
    if (!concepts.has(concept)) continue
    named.add(concept)
    for (const at of words) meaning.add(at)
  }
  const letters = asked.map(() => 0)
  const close = asked.map(() => 0)
  let telling = 0
  let shared = 0
  let sharedNear = 0
  for (const [place, each] of typed.entries()) {
    const word = fold(each)
    const alike = likeness(word)
    let most = 0
    for (const [at, one] of asked.entries()) {
      const value = alike(one)
      if (value > (letters[at] as number)) letters[at] = value
      if (value > most) most = value
    }
    if (isSmallWord(word)) continue
    telling++
    most = Math.max(most, meaning.has(place) ? SAME_CONCEPT : 0)
    shared += most
    const { vector, to } = nearness(word)
    found.push(vector)
    for (const [at, value] of to.entries()) {
      if (value > (close[at] as number)) close[at] = value
      if (value > most) most = value
    }
    sharedNear += most
  }
  const meant = letters.map((value, at) => {
    const isMeant = [...(asked[at]?.concepts ?? [])].some((concept) => named.has(concept))
    return isMeant ? Math.max(value, SAME_CONCEPT) : value
  })
  const near = meant.map((value, at) => Math.max(value, close[at] as number))
  const all = Math.max(1, telling)
  return { letters, meant, near, named, direction: directionOf(found), ofAsked: shared / all, ofNear: sharedNear / all }
}

/**
 * How much a word of a text is like one of the question: the same, its stem, or its pieces, for endings and typing
 * mistakes.
 */
function likeness(word: string): (one: AskedWord) => number {
  const stem = stemOf(word)
  let pieces: number[] | undefined
  return (one) => {
    if (one.word === word) return 1
    if (one.stem === stem && stem.length > 3) return SAME_STEM
    if (word.length < 4 || one.word.length < 4) return 0
    pieces ??= featuresOf([word])[PIECES]
    const common = pieces.reduce((sum, piece) => sum + (one.pieces.has(piece) ? 1 : 0), 0)
    const value = (2 * common) / (pieces.length + one.pieces.size)
    return value < NEAR ? 0 : Math.min(1, value)
  }
}
