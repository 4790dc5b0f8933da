import { CONCEPTS, PIECES, WORDS } from './features'
import { type Averages, FULL_IMPACT, impactsOf } from './impacts'
import type { Asked } from './question'
import { placeOf, type Segment, SegmentBuilder } from './segment'
import { readTokens } from './tokens'
import { loadUsual, type Usual } from './usual'

/** A chunk that was found. */
export interface Hit {
  /** of the chunk */
  id: number
  score: number
}
export interface Hits {
  /** best first */
  hits: Hit[]
  /** the score of a chunk that has all features of the question that any chunk has */
  full: number
  /** the same with all features, whether any chunk has them or not */
  whole: number
  /** number of chunks searched */
  chunks: number
  /** what the best hit covers of the question, weighted by rarity: by words, and by their n-grams */
  words: Share
  pieces: Share
  /** the share of the question's words, by rarity, that the best hit says in other words of the same concept */
  meant: number
  /** of each word of the question, as typed: how rare it is among the chunks, and how many have it */
  rarities: ReadonlyMap<number, Rarity>
  /** likewise of each concept that the question names */
  concepts: ReadonlyMap<number, Rarity>
}
export interface Rarity {
  rarity: number
  count: number
}
/** Shares of the question, 0 to 1. */
export interface Share {
  /** the best hit has it */
  covered: number
  /** no chunk has it */
  unknown: number
}

/** The weight of each kind of feature: words; pairs and n-grams for order, endings and typing errors. */
const KIND_WEIGHTS = [1, 0.5, 1.1, 1] as const
/** The additional weight of n-grams of a word that no chunk has: it may be mistyped, inflected or compound. */
const STAND_IN = 0.5
/** The share of its weight that a concept has by words that some chunk has, and by others. */
const MEANT = 0.25
const MEANT_UNKNOWN = 2.5
/** A prior for rarity: everyday questions count as this many chunks, since few chunks say little about it. */
const USUAL = 30

/** A chatbot's chunks in memory, searched by the words of a question (BM25). */
export class LexicalIndex {
  readonly #segments: readonly Segment[]
  readonly #ids: readonly Float64Array[]
  /** with chunks that are gone, whose postings remain until their segment is merged */
  readonly #rows: number
  /** number of chunks */
  readonly size: number
  readonly bytes: number

  constructor(
    readonly parts: readonly Part[],
    private readonly usual: Usual,
  ) {
    this.#segments = parts.map(({ segment }) => segment)
    this.#ids = parts.map(({ ids }) => ids)
    this.#rows = parts.reduce((sum, { segment }) => sum + segment.size, 0)
    this.size = parts.reduce((sum, { live }) => sum + live, 0)
    this.bytes = parts
      .flatMap(({ segment: { features, starts, chunks, impacts }, ids, stamps }) => [
        ...[features, starts, chunks, impacts, ids, stamps],
      ])
      .reduce((sum, { byteLength }) => sum + byteLength, 0)
  }

  /** @param limit the most hits */
  search(asked: readonly Asked[], limit: number): Hits {
    const terms = this.#terms(asked)
    const top: Scored[] = []
    for (const [at, segment] of this.#segments.entries()) this.#searchSegment(at, segment, terms, limit, top)
    return {
      hits: top.map(({ segment, chunk, score }) => ({ id: this.#ids[segment]?.[chunk] as number, score })),
      full: terms.reduce((total, { weight, standIn, count }) => total + (count === 0 ? 0 : weight + standIn), 0),
      whole: terms.reduce((total, { weight, standIn }) => total + weight + standIn, 0),
      chunks: this.size,
      words: this.#share(terms, WORDS, top[0]),
      pieces: this.#share(terms, PIECES, top[0]),
      meant: this.#meant(terms, top[0]),
      rarities: raritiesOf(terms, WORDS),
      concepts: raritiesOf(terms, CONCEPTS),
    }
  }

  /** How many chunks have a feature. */
  count(feature: number): number {
    let count = 0
    for (const segment of this.#segments) {
      const place = placeOf(segment, feature)
      if (place >= 0) count += lengthAt(segment, place)
    }
    return count
  }

  #share(terms: readonly Term[], wanted: number, best: Scored | undefined): Share {
    let all = 0
    let covered = 0
    let unknown = 0
    const segment = best && (this.#segments[best.segment] as Segment)
    for (const { kind, weight, count, places } of terms) {
      if (kind !== wanted) continue
      all += weight
      if (count === 0) unknown += weight
      else if (best && segment && has(segment, places[best.segment] as number, best.chunk)) covered += weight
    }
    return all === 0 ? { covered: 0, unknown: 1 } : { covered: covered / all, unknown: unknown / all }
  }

  #meant(terms: readonly Term[], best: Scored | undefined): number {
    const segment = best && this.#segments[best.segment]
    if (!best || !segment) return 0
    const isIn = ({ places }: Term) => has(segment, places[best.segment] as number, best.chunk)
    const meant = new Set(terms.flatMap((term) => (term.kind === CONCEPTS && isIn(term) ? term.namedBy : [])))
    let all = 0
    let said = 0
    for (const term of terms) {
      if (term.kind !== WORDS) continue
      all += term.weight
      if (meant.has(term.typed) && !isIn(term)) said += term.weight
    }
    return all === 0 ? 0 : said / all
  }

  /** Looks up each feature and its rarity: as typed if any chunk has it so, otherwise without diacritics. */
  #terms(asked: readonly Asked[]): Term[] {
    const terms = asked.map(({ kind, typed, folded, said }) => {
      let places = this.#segments.map((segment) => placeOf(segment, typed))
      if (typed !== folded && places.every((place) => place < 0))
        places = this.#segments.map((segment) => placeOf(segment, folded))
      let count = 0
      for (const [at, place] of places.entries())
        if (place >= 0) count += lengthAt(this.#segments[at] as Segment, place)
      return { kind, typed, said, places, count, usual: Math.max(this.usual.share(typed), this.usual.share(folded)) }
    })
    const unknown = new Set(terms.flatMap(({ kind, typed, count }) => (kind === WORDS && count === 0 ? [typed] : [])))
    const placesOf = new Map(terms.map(({ typed, places }) => [typed, places]))
    return terms.map(({ kind, typed, said, places, count, usual }) => {
      let times = 0
      let ofUnknown = 0
      for (const [word, share] of said) {
        times += share
        if (unknown.has(word)) ofUnknown += share
      }
      const having = count + USUAL * usual
      const lacking = this.#rows + USUAL - having
      const rarity = Math.log(1 + (lacking + 0.5) / (having + 0.5))
      const weight = rarity * (KIND_WEIGHTS[kind] as number)
      if (kind === CONCEPTS) {
        const share = MEANT + (MEANT_UNKNOWN - MEANT) * (ofUnknown / times)
        const namedBy = [...said.keys()]
        const words = namedBy.map((word) => placesOf.get(word) ?? [])
        return { kind, typed, places, count, rarity, weight: weight * share, standIn: 0, namedBy, words }
      }
      const standIn = kind === PIECES ? weight * ofUnknown * STAND_IN : 0
      return { kind, typed, places, count, rarity, weight: weight * times, standIn, namedBy: [], words: [] }
    })
  }

  #searchSegment(number: number, segment: Segment, terms: readonly Term[], limit: number, top: Scored[]): void {
    const scores = new Float32Array(segment.size)
    for (const { places, weight, standIn, words } of terms) {
      const place = places[number] as number
      if (place < 0) continue
      const { chunks, impacts, starts } = segment
      const unit = ((weight + standIn) * FULL_IMPACT) / 255
      const end = starts[place + 1] as number
      for (let at = starts[place] as number; at < end; at++) {
        const chunk = chunks[at] as number
        if (words.length > 0 && words.every((own) => has(segment, own[number] ?? -1, chunk))) continue
        scores[chunk] = (scores[chunk] as number) + unit * (impacts[at] as number)
      }
    }
    let least = top.length < limit ? 0 : (top.at(-1)?.score ?? 0)
    const ids = this.#ids[number] as Float64Array
    for (let chunk = 0; chunk < scores.length; chunk++) {
      const score = scores[chunk] as number
      if (score <= least || ids[chunk] === GONE) continue
      const before = top.findIndex((other) => other.score < score)
      top.splice(before < 0 ? top.length : before, 0, { segment: number, chunk, score })
      if (top.length > limit) top.pop()
      if (top.length === limit) least = top.at(-1)?.score ?? 0
    }
  }
}

interface Term {
  kind: number
  typed: number
  /** in each segment; -1: absent */
  places: number[]
  /** number of chunks that have it */
  count: number
  /** the logarithm of how few chunks have it */
  rarity: number
  /** its weight in the question */
  weight: number
  /** additional weight for words that no chunk has */
  standIn: number
  /** of a concept: the words that name it */
  namedBy: number[]
  /** of a concept: their places in each segment; a chunk that has them is not scored again */
  words: number[][]
}
interface Scored {
  segment: number
  chunk: number
  score: number
}

const raritiesOf = (terms: readonly Term[], wanted: number): Map<number, Rarity> =>
  new Map(terms.flatMap(({ kind, typed, rarity, count }) => (kind === wanted ? [[typed, { rarity, count }]] : [])))

const lengthAt = ({ starts }: Segment, place: number): number =>
  (starts[place + 1] as number) - (starts[place] as number)

/** Whether a chunk is in the postings of a feature. */
function has({ starts, chunks }: Segment, place: number, chunk: number): boolean {
  if (place < 0) return false
  let low = starts[place] as number
  let high = (starts[place + 1] as number) - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = chunks[middle] as number
    if (found === chunk) return true
    if (found < chunk) low = middle + 1
    else high = middle - 1
  }
  return false
}

/** Stands for a chunk that is no longer there. */
export const GONE = -1

/** A segment with what its chunks are. */
export interface Part {
  segment: Segment
  /** of chunks, ascending; `GONE` where one is no longer there */
  ids: Float64Array
  /** of each chunk: what changes whenever it does */
  stamps: Uint32Array
  /** number of chunks that are there */
  live: number
}

/** A chunk as input of the index. */
export interface Record {
  id: number
  /** changes whenever the chunk does */
  stamp?: number
  tokens: Buffer
}

/** ms of work between two pauses. */
const STEP = 8

/**
 * Builds an index in steps of a few ms, so that the server stays responsive. @param records in any order, without
 * duplicates
 */
export async function buildIndex(
  records: AsyncIterable<Record> | Iterable<Record>,
  averages: Averages,
): Promise<LexicalIndex> {
  return new LexicalIndex(await buildParts(records, averages), await loadUsual())
}

/** Builds segments likewise. */
export async function buildParts(
  records: AsyncIterable<Record> | Iterable<Record>,
  averages: Averages,
): Promise<Part[]> {
  const parts: Part[] = []
  const breathe = breather()
  let builder = new SegmentBuilder()
  let numbers: number[] = []
  let stamps: number[] = []
  const finish = async () => {
    if (builder.size === 0) return
    const segment = await builder.build(breathe)
    const live = segment.size
    parts.push({ segment, ids: Float64Array.from(numbers), stamps: Uint32Array.from(stamps), live })
    builder = new SegmentBuilder()
    numbers = []
    stamps = []
  }
  for await (const { id, stamp = 0, tokens } of records) {
    const { features, impacts } = impactsOf(readTokens(tokens), averages)
    builder.add(features, impacts)
    numbers.push(id)
    stamps.push(stamp)
    if (builder.isFull) await finish()
    await breathe()
  }
  await finish()
  return parts
}

/** Pauses between steps of a few ms. */
export function breather(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < STEP) return
    await new Promise((resolve) => setImmediate(resolve))
    since = performance.now()
  }
}
