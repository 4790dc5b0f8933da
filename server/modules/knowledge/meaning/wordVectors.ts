import { stemOf } from '../lexicon/stem'
import { hashOf } from './hashOf'

/**
 * A word's meaning as a direction: words that stand beside the same words have nearly the same one, in eight
 * languages.
 */
export interface Vector {
  /** its numbers, whole ones; as the file has them from -15 to 15 */
  codes: Int8Array
  /** the length of these as an arrow */
  length: number
  /** how much it tells in a text, 0 to 1: frequent words tell little */
  telling: number
}

/** Vectors of words, looked up as they are asked for. */
export interface WordVectors {
  /**
   * The vector of a word; of an unknown one that of its parts, as of a compound. Null: it has none.
   * @param word in lower case, without marks
   */
  find(word: string): Vector | null
  /** Whether a word's stem has a vector of its own. @param word likewise */
  has(word: string): boolean
  /**
   * How frequent a word is as it is written, in the language where it is most frequent: a logarithm, 1 to 255; 0: no
   * language has it. @param word likewise
   */
  frequency(word: string): number
}

/** The beginning of the file: form, numbers a vector, vectors, spellings. */
const HEAD = 16
export const FORM = 0x32565750
/** A part of a compound has so many letters at least. */
const PART = 4
/** Letters between the parts of a compound. */
const LINKS = ['', 's', 'n', 'en', 'es', 'e']
/** Letters that are cut off the end of an unknown word, as one of a language's many endings. */
const ENDING = 3
/** Words whose vectors are kept unpacked. */
const KEPT = 4_096
const LONGEST = 48

/**
 * Reads the format that `npm run vectors` writes: the head; hashes of stems, ascending; hashes of spellings likewise; a
 * byte a stem for how much it tells; a byte a spelling for how frequent it is; half a byte for each number of the
 * stems' vectors. All numbers are little-endian, as those of every machine that Node runs on.
 * @throws if it is another format, or cut off
 */
export function readWordVectors(file: Uint8Array): WordVectors {
  const table = readTable(file)
  return {
    find: finderOf((stem) => table.placeOf(hashOf(stem)), table.vectorAt),
    has: (word) => table.placeOf(hashOf(stemOf(word))) >= 0,
    frequency: (word) => table.frequencyOf(hashOf(word)),
  }
}

/** The file's vectors by their hashes. */
export interface Table {
  dimension: number
  /** the place of a stem's hash; -1: it has none */
  placeOf(key: number): number
  keyAt(place: number): number
  vectorAt(place: number): Vector
  /** of a spelling's hash; 0: no language has it */
  frequencyOf(key: number): number
}

/** Reads the format as it lies. @throws likewise */
export function readTable(file: Uint8Array): Table {
  // lists of numbers begin where four divides the place
  const bytes = file.byteOffset % 4 === 0 ? file : new Uint8Array(file)
  const head = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const [form, dimension = 0, size = 0, written = 0] =
    bytes.length < HEAD ? [] : Array.from({ length: 4 }, (_, at) => head.getUint32(at * 4, true))
  const half = dimension / 2
  if (form !== FORM || bytes.length !== HEAD + size * (5 + half) + written * 5)
    throw new Error('This is no file of word vectors.')
  const keys = new Uint32Array(bytes.buffer, bytes.byteOffset + HEAD, size)
  const spellings = new Uint32Array(bytes.buffer, bytes.byteOffset + HEAD + size * 4, written)
  const rest = bytes.subarray(HEAD + (size + written) * 4)
  const tellings = rest.subarray(0, size)
  const frequencies = rest.subarray(size, size + written)
  const codes = rest.subarray(size + written)
  return {
    dimension,
    placeOf: (key) => placeIn(keys, key),
    keyAt: (place) => keys[place] as number,
    vectorAt(place) {
      const own = new Int8Array(dimension)
      for (let at = 0; at < half; at++) {
        const both = codes[place * half + at] as number
        own[2 * at] = 2 * (both & 15) - 15
        own[2 * at + 1] = 2 * (both >> 4) - 15
      }
      return vectorOf(own, (tellings[place] as number) / 255)
    },
    frequencyOf(key) {
      const place = placeIn(spellings, key)
      return place < 0 ? 0 : (frequencies[place] as number)
    },
  }
}

/** Finds words' vectors by the places of their stems or parts, and keeps what it found. @param kept the most words */
export function finderOf(
  placeOf: (stem: string) => number,
  vectorAt: (place: number) => Vector,
  kept = KEPT,
): (word: string) => Vector | null {
  const found = new Map<string, Vector | null>()
  return (word) => {
    if (word.length > LONGEST) return null
    const known = found.get(word)
    if (known !== undefined) return known
    const parts = placesOf(word, placeOf).map(vectorAt)
    const vector = parts.length === 0 ? null : together(parts)
    if (found.size >= kept) found.clear()
    found.set(word, vector)
    return vector
  }
}

/**
 * The places of a word's stem, of its parts, or of what is left without an ending; none: it is unknown.
 * @param placeOf the place of a stem; -1: it has none
 */
export function placesOf(word: string, placeOf: (stem: string) => number): number[] {
  const whole = placeOf(stemOf(word))
  if (whole >= 0) return [whole]
  for (let end = word.length - PART; end >= PART; end--) {
    const last = placeOf(stemOf(word.slice(end)))
    if (last < 0) continue
    for (const link of LINKS) {
      const first = word.slice(0, end - link.length)
      if (first.length < PART || !word.startsWith(link, first.length)) continue
      const place = placeOf(stemOf(first))
      if (place >= 0) return [place, last]
    }
  }
  for (let cut = 1; cut <= ENDING && word.length - cut > PART; cut++) {
    const place = placeOf(word.slice(0, -cut))
    if (place >= 0) return [place]
  }
  return []
}

/** Where a number stands in an ascending list; -1: nowhere. */
export function placeIn(list: Uint32Array, wanted: number): number {
  let low = 0
  let high = list.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const number = list[middle] as number
    if (number === wanted) return middle
    if (number < wanted) low = middle + 1
    else high = middle - 1
  }
  return -1
}

function together(parts: readonly Vector[]): Vector {
  const [first] = parts as [Vector, ...Vector[]]
  if (parts.length === 1) return first
  const codes = first.codes.map((_, at) =>
    Math.round(parts.reduce((sum, one) => sum + (one.codes[at] as number), 0) / parts.length),
  )
  return vectorOf(codes, Math.max(...parts.map(({ telling }) => telling)))
}

/** @param telling how much it tells */
export const vectorOf = (codes: Int8Array, telling: number): Vector => ({
  codes,
  length: Math.sqrt(codes.reduce((sum, code) => sum + code * code, 0)) || 1,
  telling,
})

/** How much two words mean the same: the cosine of their directions, -1 to 1. */
export function cosine(one: Vector, other: Vector): number {
  const a = one.codes
  const b = other.codes
  let sum = 0
  // as whole numbers: this is most of the work of a question
  for (let at = 0; at < a.length; at++) sum = (sum + Math.imul(a[at] as number, b[at] as number)) | 0
  return sum / (one.length * other.length)
}
