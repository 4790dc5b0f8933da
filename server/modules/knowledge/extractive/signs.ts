import type { Passage } from '../knowledge'
import { featuresOf, foldAll, PIECES } from '../retrieval/features'
import { tokenize } from '../retrieval/words'
import { answersWanted, wantedBy, withoutAsking } from './asking'
import { type Sentence, sentencesOf } from './sentences'

/** A sentence that may be an answer. */
export interface Candidate {
  /** index of the passage among those found */
  passage: number
  sentence: Sentence
  /** its features, in the order of the weights */
  signs: number[]
}

/** The question: each distinct word, and which words contain each n-gram. */
interface Asked {
  /** number of n-grams per word */
  sizes: number[]
  byPiece: ReadonlyMap<number, number[]>
}
/** What a sentence has of the question, and how much else. */
interface Said {
  /** for each word of the question, the similarity of the sentence's most similar word: 0 to 1 */
  words: number[]
  pieces: ReadonlySet<number>
  /** in words */
  length: number
  /** the share of its n-grams that the question has */
  ofAsked: number
}

/** Passages whose sentences are ranked: more gain nothing. */
const READ = 4
/** The least similarity at which a sentence contains a word. */
const NEAR = 0.4

/** Every sentence of the first passages with its features. */
export function candidatesOf(passages: readonly Passage[], question: string): Candidate[] {
  const asked = askedOf(question)
  const read = passages
    .slice(0, READ)
    .map(({ text }) => sentencesOf(text).map((sentence) => ({ sentence, said: saidOf(sentence.text, asked) })))
  const all = read.flat().map(({ said }) => said)
  const pieces = rarityOfPieces(asked, all)
  const words = rarityOfWords(asked, all)
  const wanted = answersWanted(wantedBy(question), question, new Set(tokenize(question)))
  const best = Math.max(0, ...passages.map(({ score }) => score)) || 1
  return read.flatMap((sentences, passage) => {
    const score = (passages[passage]?.score ?? 0) / best
    const shares = sentences.map(({ said }) => share(pieces, [said]))
    const most = Math.max(0, ...shares)
    return sentences.map(({ sentence, said }, at): Candidate => {
      const before = sentences[at - 1]?.said
      const saying = shares[at] ?? 0
      const alike = like(words, said.words)
      const signs = [
        Math.sqrt(alike),
        before ? like(words, either(said.words, before.words)) - alike : 0,
        said.words.reduce((sum, value) => sum + value, 0) / Math.sqrt(1 + said.length),
        saying,
        saying === most ? 1 : 0,
        before ? share(pieces, [said, before]) - saying : 0,
        shares[at + 1] ?? 0,
        said.ofAsked,
        score,
        score ** 2,
        ...wanted(sentence.text),
      ]
      return { passage, sentence, signs }
    })
  })
}

function askedOf(question: string): Asked {
  const words = [...new Set(foldAll(tokenize(withoutAsking(question))))].map((word) => new Set(piecesOf(word)))
  const byPiece = new Map<number, number[]>()
  for (const [at, pieces] of words.entries())
    for (const piece of pieces) {
      const places = byPiece.get(piece)
      if (places) places.push(at)
      else byPiece.set(piece, [at])
    }
  return { sizes: words.map(({ size }) => size), byPiece }
}

const piecesOf = (word: string): number[] => featuresOf([word])[PIECES]

function saidOf(text: string, { sizes, byPiece }: Asked): Said {
  const words = foldAll(tokenize(text))
  const alike = sizes.map(() => 0)
  const asked = new Set<number>()
  let pieces = 0
  let ofAsked = 0
  for (const word of words) {
    const own = piecesOf(word)
    pieces += own.length
    let common: Map<number, number> | undefined
    for (const piece of own) {
      const places = byPiece.get(piece)
      if (!places) continue
      common ??= new Map()
      ofAsked++
      asked.add(piece)
      for (const at of places) common.set(at, (common.get(at) ?? 0) + 1)
    }
    for (const [at, count] of common ?? [])
      alike[at] = Math.max(alike[at] as number, Math.min(1, (2 * count) / ((sizes[at] as number) + own.length)))
  }
  return { words: alike, pieces: asked, length: words.length, ofAsked: ofAsked / Math.max(1, pieces) }
}

const rarity = (all: number, count: number): number => Math.log(1 + (all - count + 0.5) / (count + 0.5))

/**
 * The weight of each of the question's n-grams: the rarer among the sentences, the higher. N-grams that no sentence has
 * get none.
 */
function rarityOfPieces({ byPiece }: Asked, all: readonly Said[]): Map<number, number> {
  const weights = new Map<number, number>()
  for (const piece of byPiece.keys()) {
    const count = all.filter(({ pieces }) => pieces.has(piece)).length
    if (count > 0) weights.set(piece, rarity(all.length, count))
  }
  return weights
}

/** The same for its words; a similar word counts in part. */
const rarityOfWords = ({ sizes }: Asked, all: readonly Said[]): number[] =>
  sizes.map((_, at) => {
    const likest = all.map(({ words }) => words[at] as number)
    if (!likest.some((value) => value > NEAR)) return 0
    return rarity(
      all.length,
      likest.reduce((sum, value) => sum + value, 0),
    )
  })

/** The share of the n-grams' weight that the sentences cover together. */
function share(weights: ReadonlyMap<number, number>, sentences: readonly Said[]): number {
  let all = 0
  let said = 0
  for (const [piece, weight] of weights) {
    all += weight
    if (sentences.some(({ pieces }) => pieces.has(piece))) said += weight
  }
  return all === 0 ? 0 : said / all
}

/** The share of the words' weight that is covered. */
function like(weights: readonly number[], words: readonly number[]): number {
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  return all === 0 ? 0 : weights.reduce((sum, weight, at) => sum + weight * (words[at] as number), 0) / all
}

const either = (one: readonly number[], other: readonly number[]): number[] =>
  one.map((value, at) => Math.max(value, other[at] as number))
