import type { Averages } from './impacts'
import { breather, buildParts, GONE, LexicalIndex, type Part, type Record } from './lexicalIndex'
import { SEGMENT } from './segment'
import { loadUsual } from './usual'

/** The chunks that are there now. */
export interface Present {
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
 * @returns null: so much has changed that it is better built anew
 */
export async function updateIndex(
  old: LexicalIndex,
  present: Present,
  { averages, builtSize }: { averages: Averages; builtSize: number },
  read: (ids: readonly number[]) => AsyncIterable<Record>,
): Promise<LexicalIndex | null> {
  if (Math.abs(present.ids.length - builtSize) > DRIFT * builtSize) return null
  const breathe = breather()
  const wanted = new Map<number, number>()
  for (let at = 0; at < present.ids.length; at++) {
    wanted.set(present.ids[at] as number, present.stamps[at] as number)
    if (at % STEP === 0) await breathe()
  }
  const parts: Part[] = []
  for (const part of old.parts) {
    parts.push(markGone(part, wanted))
    await breathe()
  }
  const kept = parts.filter(({ live, segment }) => live >= LEAST_LIVE * segment.size && live > 0)
  const small = kept.filter(({ live }) => live < SMALL)
  const merged = new Set(small.length >= SMALL_PARTS ? small : [])
  for (const part of parts) if (!kept.includes(part)) merged.add(part)
  const changed = [...wanted.keys()]
  if (changed.length > present.ids.length / 2) return null
  for (const { ids } of merged) for (const id of ids) if (id !== GONE) changed.push(id)
  const others = parts.filter((part) => !merged.has(part))
  const made = changed.length === 0 ? [] : await buildParts(read(changed.sort((a, b) => a - b)), averages)
  return new LexicalIndex([...others, ...made], await loadUsual())
}

/** Chunks between two pauses. */
const STEP = 10_000

/** A part without the chunks that are gone or changed. What it has is taken out of `wanted`. */
function markGone(part: Part, wanted: Map<number, number>): Part {
  let ids: Float64Array | null = null
  let live = 0
  for (let at = 0; at < part.ids.length; at++) {
    const id = part.ids[at] as number
    if (id === GONE) continue
    if (wanted.get(id) === part.stamps[at]) {
      wanted.delete(id)
      live++
      continue
    }
    ids ??= part.ids.slice()
    ids[at] = GONE
  }
  return ids ? { ...part, ids, live } : part
}
