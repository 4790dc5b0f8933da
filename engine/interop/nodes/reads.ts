import { clip } from '../fields'
import type { ReportWriter } from '../report'
import { placeOf } from './mapNode'
import type { NodeGraph } from './nodeGraph'
import type { MappedNode, Read } from './nodeWorld'
import type { Place } from './schedule'

/** Notes nodes that read the output of a placeholder, which stays empty. */
export function noteEmptyReads(reads: readonly Read[], nodes: ReadonlyMap<string, MappedNode>, report: ReportWriter) {
  for (const { reader, writer, output } of reads) {
    const from = nodes.get(writer)
    if (from?.isPlaceholder)
      report.note(
        'warning',
        placeOf(reader),
        `It reads '${clip(output, 40)}' of '${clip(from.title, 60)}', which is a placeholder: that is empty until something sets it.`,
      )
  }
}

/** The most steps spent on finding paths around nodes; each search walks the whole flow. */
const MAX_WORK = 20_000_000

/**
 * The variables to clear at the start of a run: the product starts each run empty, and some path reaches the reader
 * without passing the writer.
 */
export function outputsToClear(reads: readonly Read[], places: readonly Place[], { message }: NodeGraph): string[] {
  if (message === null || places.length === 0) return []
  const byWriter = new Map<string, Read[]>()
  for (const read of reads) {
    if (read.reader.id !== read.writer) byWriter.set(read.writer, [...(byWriter.get(read.writer) ?? []), read])
  }
  const isTooMuch = byWriter.size * places.length > MAX_WORK
  const cleared = new Set<string>()
  for (const [writer, its] of byWriter) {
    const around = isTooMuch ? null : reachedWithout(writer, places)
    for (const { reader, variableId } of its) if (around === null || around.has(reader.id)) cleared.add(variableId)
  }
  return [...cleared]
}

/** The nodes that a run can reach without passing `avoided`. */
function reachedWithout(avoided: string, places: readonly Place[]): Set<string> {
  const reached = new Set<number>()
  const open = places[0]?.node === avoided ? [] : [0]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (reached.has(at)) continue
    reached.add(at)
    for (const to of places[at]?.exits.values() ?? [])
      if (to !== null && places[to]?.node !== avoided && !reached.has(to)) open.push(to)
  }
  return new Set([...reached].map((at) => places[at]?.node ?? ''))
}
