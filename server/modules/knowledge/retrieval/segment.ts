/** Postings of up to `SEGMENT` chunks: by feature, the chunks that have it with its impact. */
export interface Segment {
  /** ascending */
  features: Uint32Array
  /** where each feature's postings start, plus the end of the last one */
  starts: Uint32Array
  /** chunk numbers within the segment */
  chunks: Uint16Array
  /** 0 to 255, relative to `FULL_IMPACT` */
  impacts: Uint8Array
  /** number of chunks */
  size: number
}

/** Small enough for short build steps, and for a question's scores to fit into the processor's cache. */
export const SEGMENT = 8_192
const DIGIT = 16
const DIGITS = 1 << DIGIT

/** Collects the features of chunks and builds a segment. */
export class SegmentBuilder {
  size = 0
  #length = 0
  #features = new Uint32Array(1 << 16)
  /** chunk and impact in one number */
  #postings = new Uint32Array(1 << 16)

  get isFull(): boolean {
    return this.size === SEGMENT
  }

  /** @param impacts one per feature */
  add(features: Uint32Array, impacts: Uint8Array): void {
    const length = this.#length + features.length
    if (length > this.#features.length) this.#grow(length)
    this.#features.set(features, this.#length)
    for (let at = 0; at < features.length; at++)
      this.#postings[this.#length + at] = (this.size << 8) | (impacts[at] as number)
    this.#length = length
    this.size++
  }

  /** Sorts the postings by feature, chunks ascending. @param breathe pauses between two steps */
  async build(breathe: () => Promise<void>): Promise<Segment> {
    let from = {
      features: this.#features.subarray(0, this.#length),
      postings: this.#postings.subarray(0, this.#length),
    }
    let to = { features: new Uint32Array(this.#length), postings: new Uint32Array(this.#length) }
    for (const shift of [0, DIGIT]) {
      await sortByDigit(from, to, shift, breathe)
      const sorted = to
      to = from
      from = sorted
    }
    return group(from.features, from.postings, this.size, breathe)
  }

  #grow(length: number): void {
    const room = Math.max(length, this.#features.length * 2)
    const features = new Uint32Array(room)
    const postings = new Uint32Array(room)
    features.set(this.#features)
    postings.set(this.#postings)
    this.#features = features
    this.#postings = postings
  }
}

/** Postings per step: some ms. */
const STEP = 400_000

interface Pairs {
  features: Uint32Array
  postings: Uint32Array
}

/** One pass of a radix sort: stable, by 16 bits of the feature. */
async function sortByDigit(from: Pairs, to: Pairs, shift: number, breathe: () => Promise<void>): Promise<void> {
  const places = new Uint32Array(DIGITS + 1)
  const { features, postings } = from
  for (let at = 0; at < features.length; at++) {
    const digit = ((features[at] as number) >>> shift) & (DIGITS - 1)
    places[digit + 1] = (places[digit + 1] as number) + 1
  }
  await breathe()
  for (let digit = 0; digit < DIGITS; digit++)
    places[digit + 1] = (places[digit + 1] as number) + (places[digit] as number)
  for (let start = 0; start < features.length; start += STEP) {
    const end = Math.min(start + STEP, features.length)
    for (let at = start; at < end; at++) {
      const feature = features[at] as number
      const digit = (feature >>> shift) & (DIGITS - 1)
      const place = places[digit] as number
      places[digit] = place + 1
      to.features[place] = feature
      to.postings[place] = postings[at] as number
    }
    await breathe()
  }
}

/** Groups postings by feature. */
async function group(
  sorted: Uint32Array,
  postings: Uint32Array,
  size: number,
  breathe: () => Promise<void>,
): Promise<Segment> {
  let distinct = 0
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) distinct++
  await breathe()
  const features = new Uint32Array(distinct)
  const starts = new Uint32Array(distinct + 1)
  const chunks = new Uint16Array(sorted.length)
  const impacts = new Uint8Array(sorted.length)
  let place = 0
  for (let start = 0; start < sorted.length; start += STEP) {
    const end = Math.min(start + STEP, sorted.length)
    for (let at = start; at < end; at++) {
      if (at === 0 || sorted[at] !== sorted[at - 1]) {
        features[place] = sorted[at] as number
        starts[place++] = at
      }
      const posting = postings[at] as number
      chunks[at] = posting >>> 8
      impacts[at] = posting & 255
    }
    await breathe()
  }
  starts[distinct] = sorted.length
  return { features, starts, chunks, impacts, size }
}

/** The index of a feature; -1 if no chunk has it. */
export function placeOf({ features }: Segment, feature: number): number {
  let low = 0
  let high = features.length - 1
  while (low <= high) {
    const middle = (low + high) >>> 1
    const found = features[middle] as number
    if (found === feature) return middle
    if (found < feature) low = middle + 1
    else high = middle - 1
  }
  return -1
}
