import type { Averages } from './impacts'
import { breather, buildParts, GONE, LexicalIndex, type Part, type Record } from './lexicalIndex'
import { SEGMENT } from './segment'
import { loadUsual } from './usual'

/** The chunks that are there now. */
export interface Present {
  /** ascending */
  ids: Float64Array
  /** change whenever a chunk does */
  stamps: Uint32Array
}

/** Lengths of fields are measured anew when the number of chunks has grown or shrunk by this share. */
const DRIFT = 0.2
/** A part with fewer of its chunks left is merged. */
const LEAST_LIVE = 0.5
/** So many small parts are merged into one. */
const SMALL_PARTS = 8
/** Parts below this size are small. */
const SMALL = SEGMENT / 2

/**
 * An index with what changed since: chunks that are gone are marked in their segments, new ones come in a segment of
 * their own. Small segments, and those that are mostly gone, are merged.
 * @param old is not changed: it may be asked meanwhile @param builtSize number of chunks when `averages` were
 * measured
 * @param read gives the records of chunks; those that are gone by then are missing
 * @returns `old` itself if nothing changed; null: so much has changed that it is better built anew
 */
export async function updateIndex(
  old: LexicalIndex,
  present: Present,
  { averages, builtSize }: { averages: Averages; builtSize: number },
  read: (ids: readonly number[]) => AsyncIterable<Record>,
): Promise<LexicalIndex | null> {
  if (Math.abs(present.ids.length - builtSize) > DRIFT * builtSize) return null
  const breathe = breather()
  /** by place in `present`: whether a part has it */
  const had = new Uint8Array(present.ids.length)
  const parts: Part[] = []
  for (const part of old.parts) {
    parts.push(markGone(part, present, had))
    await breathe()
  }
  const kept = parts.filter(({ live, segment }) => live >= LEAST_LIVE * segment.size && live > 0)
  const small = kept.filter(({ live }) => live < SMALL)
  const merged = new Set(small.length >= SMALL_PARTS ? small : [])
  for (const part of parts) if (!kept.includes(part)) merged.add(part)
  const changed: number[] = []
  for (const [at, isHad] of had.entries()) if (isHad === 0) changed.push(present.ids[at] as number)
  if (changed.length > present.ids.length / 2) return null
  for (const { ids } of merged) for (const id of ids) if (id !== GONE) changed.push(id)
  const others = parts.filter((part) => !merged.has(part))
  if (changed.length === 0 && parts.every((part, at) => part === old.parts[at]) && merged.size === 0) return old
  const made = changed.length === 0 ? [] : await buildParts(read(changed.sort((a, b) => a - b)), averages)
  return new LexicalIndex([...others, ...made], await loadUsual())
}

/** A part without the chunks that are gone or changed, or that a part before it has. What it has is marked in `had`. */
function markGone(part: Part, present: Present, had: Uint8Array): Part {
  let ids: Float64Array | null = null
  let live = 0
  let place = placeOf(present.ids, part.ids.find((id) => id !== GONE) ?? 0)
  for (let at = 0; at < part.ids.length; at++) {
    const id = part.ids[at] as number
    if (id === GONE) continue
    while ((present.ids[place] as number) < id) place++
    if (present.ids[place] === id && present.stamps[place] === part.stamps[at] && had[place] === 0) {
      had[place] = 1
      live++
      continue
    }
    ids ??= part.ids.slice()
    ids[at] = GONE
  }
  return ids ? { ...part, ids, live } : part
}

/** The place of the first number that is not smaller. */
function placeOf(numbers: Float64Array, least: number): number {
  let low = 0
  let high = numbers.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((numbers[middle] as number) < least) low = middle + 1
    else high = middle
  }
  return low
}
