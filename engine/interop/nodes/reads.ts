import { clip } from '../fields'
import type { ReportWriter } from '../report'
import { placeOf } from './mapNode'
import type { NodeGraph } from './nodeGraph'
import type { MappedNode, Read } from './nodeWorld'
import type { Place } from './schedule'

/** What a placeholder would give stays empty: whoever reads it is named. */
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

/** Looking for ways around a node costs one walk over the whole flow; beyond this many steps nothing is looked for. */
const MAX_WORK = 20_000_000

/**
 * The variables that a run must not find as the run before left them: the product begins each run with nothing, and some way leads to the
 * reader that does not pass the writer.
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

/** The nodes that a run can get to without passing one of them. */
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
