import { generateNKeysBetween } from 'fractional-indexing'

/** Sorts by order key, then by id, so that replicas agree on equal keys. */
export function byOrder(a: { id: string; order: string }, b: { id: string; order: string }): number {
  if (a.order !== b.order) return a.order < b.order ? -1 : 1
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0
}

/**
 * The longest key that is accepted: a key between two others is longer than both, so a long one would make thousands
 * long.
 */
const LONGEST = 1_000

/** Whether keys can be generated before and after this one. */
export function isOrder(order: string): boolean {
  try {
    return order !== '' && order.length <= LONGEST && generateNKeysBetween(order, null, 1).length === 1
  } catch {
    return false
  }
}

/**
 * The order keys to write so that `wanted` is in order: only for items without a key or in the wrong place, so that
 * people who reorder different items don't undo each other's work. `current` may hold ids that are not wanted.
 */
export function ordersFor(wanted: readonly string[], current: ReadonlyMap<string, string>): Map<string, string> {
  try {
    return fillGaps(wanted, longestRising(wanted, current))
  } catch {
    // not a fractional index (a foreign client wrote it): assign all keys anew
    return fillGaps(wanted, new Map())
  }
}

function fillGaps(wanted: readonly string[], kept: ReadonlyMap<string, string>): Map<string, string> {
  const writes = new Map<string, string>()
  let before: string | null = null
  for (let start = 0; start < wanted.length; ) {
    const keptOrder = kept.get(wanted[start] as string)
    if (keptOrder !== undefined) {
      before = keptOrder
      start += 1
      continue
    }
    let end = start
    while (end < wanted.length && !kept.has(wanted[end] as string)) end += 1
    const after: string | null = end < wanted.length ? (kept.get(wanted[end] as string) as string) : null
    generateNKeysBetween(before, after, end - start).forEach((order, i) => {
      writes.set(wanted[start + i] as string, order)
      before = order
    })
    start = end
  }
  return writes
}

/** The longest subsequence of `wanted` whose present keys increase strictly: these keys may stay. */
function longestRising(wanted: readonly string[], current: ReadonlyMap<string, string>): Map<string, string> {
  const entries = wanted.flatMap((id) => {
    const order = current.get(id)
    return order === undefined || order.length > LONGEST ? [] : [{ id, order }]
  })
  const tails: number[] = []
  const previous: number[] = []
  entries.forEach((entry, i) => {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((entries[tails[middle] as number]?.order ?? '') < entry.order) low = middle + 1
      else high = middle
    }
    previous[i] = low > 0 ? (tails[low - 1] as number) : -1
    tails[low] = i
  })
  const kept: [string, string][] = []
  for (let i = tails.at(-1) ?? -1; i >= 0; i = previous[i] as number) {
    const entry = entries[i] as { id: string; order: string }
    kept.push([entry.id, entry.order])
  }
  return new Map(kept.reverse())
}
