import { stemOf } from '../lexicon/stem'
import { hashOf } from './hashOf'
import { finderOf, readTable, type Vector, vectorOf, type WordVectors } from './wordVectors'

/** Vectors of words that were taught what organisations are asked: questions point where pages answer them. */
export interface TaughtVectors extends WordVectors {
  /** The vector of a concept of the lexicon; null: it has none. @param concept its number (lexicon.ts) */
  concept(concept: number): Vector | null
}

/** A word that is moved takes a product with the whole map, so that more are kept than of those only unpacked. */
const KEPT = 20_000
/** Codes of the file are so far from each other, in spreads of the numbers: of one length with those that are moved. */
const STEP = 0.335
const FARTHEST = 127

/**
 * Reads what `npm run vectors` learnt from the bank: a map of all vectors, as 32-bit numbers row by row, then the
 * places of the words that the bank has and of concepts, in the form of `readWordVectors`. All other words are moved by
 * the map.
 * @param words the file of all words @throws if one of them is another format, or cut off
 */
export function readTaughtVectors(file: Uint8Array, words: Uint8Array): TaughtVectors {
  const all = readTable(words)
  const { dimension } = all
  const size = dimension * dimension
  const bytes = new Uint8Array(file)
  if (bytes.length < size * 4) throw new Error('This is no file of word vectors.')
  const map = new Float32Array(bytes.buffer, 0, size)
  const taught = readTable(bytes.subarray(size * 4))
  if (taught.dimension !== dimension) throw new Error('This is no file of word vectors.')

  const vectorAt = (place: number): Vector => {
    const known = taught.placeOf(all.keyAt(place))
    return known < 0 ? moved(all.vectorAt(place), map) : taught.vectorAt(known)
  }
  const concepts = new Map<number, Vector | null>()

  return {
    find: finderOf((stem) => all.placeOf(hashOf(stem)), vectorAt, KEPT),
    has: (word) => all.placeOf(hashOf(stemOf(word))) >= 0,
    frequency: (word) => all.frequencyOf(hashOf(word)),
    concept(concept) {
      const known = concepts.get(concept)
      if (known !== undefined) return known
      const place = taught.placeOf(concept)
      const vector = place < 0 ? null : taught.vectorAt(place)
      concepts.set(concept, vector)
      return vector
    },
  }
}

function moved({ codes, telling }: Vector, map: Float32Array): Vector {
  const dimension = codes.length
  const sum = new Float32Array(dimension)
  for (let from = 0; from < dimension; from++) {
    const value = codes[from] as number
    const row = from * dimension
    for (let to = 0; to < dimension; to++) sum[to] = (sum[to] as number) + value * (map[row + to] as number)
  }
  const spread = Math.sqrt(sum.reduce((square, value) => square + value * value, 0) / dimension) || 1
  const unit = 2 / (STEP * spread)
  const near = (value: number) => Math.max(-FARTHEST, Math.min(FARTHEST, Math.round(value * unit)))
  return vectorOf(Int8Array.from(sum, near), telling)
}
