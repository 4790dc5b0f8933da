import type { Edge } from '../../flow/schema'
import { clip } from '../fields'
import type { MappedBlock } from '../importer'
import type { ReportWriter } from '../report'
import type { Places } from './context'
import type { TypebotBlock, TypebotEdge, TypebotFile } from './readTypebot'

/** What each block of the file became, for its outgoing edges. */
export type Exits = Map<TypebotBlock, { blockId: string; ports: MappedBlock['ports']; place: string }>

/**
 * Creates the flow's edges. Like the product, it follows the `outgoingEdgeId` of a block or item and reads only the
 * edge's `to`, so a stale `from` is harmless. An exit without such an id takes the edge whose `from` names it.
 */
export function connect(file: TypebotFile, exits: Exits, places: Places, report: ReportWriter): Edge[] {
  const used = new Set<TypebotEdge>()
  const byExit = new Map<string, TypebotEdge>()
  for (const edge of file.edges.values()) {
    const key = exitKey(edge.from.blockId, edge.from.exitId)
    if (edge.from.blockId && !byExit.has(key)) byExit.set(key, edge)
  }
  const blocks = file.groups.flatMap((group) => group.blocks)
  const firstWithId = new Map(blocks.toReversed().map((block) => [block.id, block]))
  const titles = new Map(file.groups.map((group) => [group.id, group.title]))
  const flowEdges: Edge[] = []

  function leave(block: TypebotBlock, exitId: string | undefined, edgeId: string | undefined) {
    const exit = exits.get(block)
    if (!exit) return
    const own = edgeId === undefined ? undefined : file.edges.get(edgeId)
    if (edgeId !== undefined && !own)
      report.note(
        'info',
        exit.place,
        'An edge that the file does not have is left out: connect it where it should lead.',
      )
    const drawn = firstWithId.get(block.id) === block ? byExit.get(exitKey(block.id, exitId)) : undefined
    const edge = own ?? (drawn && !used.has(drawn) ? drawn : undefined)
    if (!edge) return
    used.add(edge)
    const to = places.target(edge.to.groupId, edge.to.blockId)
    const portId = exit.ports[exitId ?? 'default']
    if (own && own.from.blockId !== block.id) {
      report.note('info', exit.place, 'An edge said that it leaves another block; it leaves this one.')
    }
    if (!to)
      report.note(
        'info',
        exit.place,
        'An edge leads to a group that the file does not have and is left out: connect it.',
      )
    else if (portId === undefined) {
      const title = clip(titles.get(edge.to.groupId ?? '') ?? '', 60)
      report.note(
        'warning',
        exit.place,
        `The edge to '${title}' leaves by a way out that does not exist here and is left out.`,
      )
    } else flowEdges.push({ from: { blockId: exit.blockId, portId }, to })
    if (to && edge.to.blockId && !to.blockId) {
      report.note('info', exit.place, 'An edge led to a block that the file does not have; it leads to its group now.')
    }
  }

  for (const block of blocks) {
    leave(block, undefined, block.outgoingEdgeId)
    for (const item of block.items) leave(block, item.id, item.outgoingEdgeId)
  }
  const left = [...file.edges.values()].filter((edge) => !used.has(edge)).length
  if (left > 0)
    report.note('info', undefined, `${left} ${left === 1 ? 'edge that leaves' : 'edges that leave'} no block left out.`)
  return flowEdges
}

const exitKey = (blockId: string | undefined, exitId: string | undefined): string =>
  JSON.stringify([blockId, exitId ?? null])
