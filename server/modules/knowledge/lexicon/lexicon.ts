import { fold } from '../retrieval/fold'
import { tokenize } from '../retrieval/words'
import { type Lists, packLists, readLists } from './lists'
import { isSmallWord } from './smallWords'
import { stemOf } from './stem'

/** A concept that a text names. */
export interface Named {
  /** a 32-bit number, the same for a name in every process */
  concept: number
  /** the places of the words that name it */
  words: readonly number[]
}

/** Concepts that visitors and pages name in different words and languages. */
export interface Lexicon {
  /** @returns what words name, in text order with repetitions; broader concepts follow */
  find(words: readonly string[]): Named[]
}

/** A lexicon without concepts. */
export const noConcepts: Lexicon = { find: () => [] }

/** The most other words between two words of an expression: "give it back". */
const GAP = 2
/** The most words of an expression that are looked for; small words are not. */
export const LONGEST = 5

/**
 * Builds a lexicon, file by file. Words are looked up by their stems, expressions by a hash of these: of 10^6 looks
 * for what is no expression, some 50 find one by chance.
 */
export class LexiconBuilder {
  /** by state: the concepts of the expressions that end there, none where only longer ones go on */
  readonly #states = new Map<number, number[]>()
  readonly #broader = new Map<number, number[]>()

  /** @param text in the format that the README says */
  add(text: string): void {
    let concept = 0
    for (const line of text.split('\n')) {
      if (line.startsWith(CONCEPT)) concept = numberOf(line.slice(CONCEPT.length))
      else if (line.startsWith(PART_OF))
        this.#broader.set(concept, line.slice(PART_OF.length).split(', ').map(numberOf))
      else if (EXPRESSIONS.test(line))
        for (const expression of line.slice(4).split('; ')) this.#addExpression(expression, concept)
    }
  }

  #addExpression(expression: string, concept: number): void {
    const words = tokenize(expression)
    const telling = words.filter((word) => !isSmallWord(word))
    // "on time" is not "time": small words count where a single other one would be left
    const isExact = words.length > 1 && telling.length < 2
    const kept = isExact ? words : telling
    if (kept.length > LONGEST) return
    let state = isExact ? EXACT : START
    for (const [at, word] of kept.entries()) {
      state = stateAfter(state, keyOf(word))
      const known = this.#states.get(state) ?? []
      if (at === kept.length - 1 && !known.includes(concept)) known.push(concept)
      this.#states.set(state, known)
    }
  }

  /** The lexicon as bytes, which are read in a few ms (`readLexicon`). */
  pack(): Uint8Array {
    return packLists([this.#states, this.#broader])
  }

  build(): Lexicon {
    return readLexicon(this.pack())
  }
}

/**
 * A lexicon that looks things up where the bytes are. @param bytes of `LexiconBuilder.pack`
 * @throws if they are something else, or cut off
 */
export function readLexicon(bytes: Uint8Array): Lexicon {
  const [states, broader] = readLists(bytes)
  if (!states || !broader) throw new Error('This is no lexicon.')
  return new StoredLexicon(states, broader)
}

class StoredLexicon implements Lexicon {
  readonly #states: Lists
  readonly #broader: Lists

  constructor(states: Lists, broader: Lists) {
    this.#states = states
    this.#broader = broader
  }

  find(words: readonly string[]): Named[] {
    const all = words.map((word, place) => ({ place, key: keyOf(word), isSmall: isSmallWord(word) }))
    const telling = all.filter(({ isSmall }) => !isSmall)
    const found: Named[] = []
    let next = 0
    for (const { place } of all) {
      const here = new Map<number, readonly number[]>()
      this.#follow(all, place, place, EXACT, 0, [], here)
      if (telling[next]?.place === place) this.#follow(telling, next, next++, START, GAP, [], here)
      // a map also goes through what is added meanwhile, so that what is broader than the broader ones follows
      for (const [concept, places] of here) {
        found.push({ concept, words: places })
        for (const broader of this.#broader.get(concept) ?? []) if (!here.has(broader)) here.set(broader, places)
      }
    }
    return found
  }

  /** Goes on from a state with each of the words from one to another. @param gap how many may stand in between */
  #follow(
    words: readonly Word[],
    from: number,
    to: number,
    state: number,
    gap: number,
    before: readonly number[],
    found: Map<number, readonly number[]>,
  ): void {
    for (let at = from; at <= to && at < words.length; at++) {
      const { place, key } = words[at] as Word
      const next = stateAfter(state, key)
      const concepts = this.#states.get(next)
      if (concepts === undefined) continue
      const places = [...before, place]
      for (const concept of concepts) if (!found.has(concept)) found.set(concept, places)
      if (places.length < LONGEST) this.#follow(words, at + 1, at + 1 + gap, next, gap, places, found)
    }
  }
}

interface Word {
  place: number
  key: number
}

const CONCEPT = '= '
const PART_OF = 'part of: '
const EXPRESSIONS = /^[a-z]{2}: /

const keyOf = (word: string): number => hash(stemOf(fold(word)))

const numberOf = (name: string): number => hash(`= ${name}`)

const START = 0x811c9dc5
/** where expressions start whose words follow each other, small ones too */
const EXACT = 0x9e3779b1

function stateAfter(state: number, key: number): number {
  const value = Math.imul(state ^ key, 0x85ebca6b)
  return Math.imul(value ^ (value >>> 13), 0xc2b2ae35) >>> 0
}

/** FNV-1a with a final mix. */
function hash(text: string): number {
  let value = START
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  value ^= value >>> 15
  value = Math.imul(value, 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
