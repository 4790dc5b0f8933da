import type { BlockView } from '../../engine/document/commands'
import type { Block, Edge } from '../../engine/flow/schema'
import { addGroup, createBlock, placeFor } from './actions'
import type { Editor } from './context'
import { openBlock } from './editing/openBlock'
import { handleId, type Point } from './geometry'

/** Inserting something into an edge. */

type AnyBlock = Pick<BlockView, 'id' | 'kind' | 'data'>

/**
 * Redirects an edge to a group, and connects the group's last block to the edge's old target. Does nothing if the edge
 * is gone.
 *
 * @param last the group's last block; the projection may not contain it yet
 */
export function insertOnEdge(editor: Editor, edgeId: string, groupId: string, last: AnyBlock | undefined): void {
  const { commands } = editor.document
  const edge = editor.document.projection().edges.get(edgeId)
  if (!edge) return
  const exit = last && openExit(editor, last)
  commands.batch(() => {
    commands.connect(edge.from, { groupId })
    if (exit) commands.connect(exit, edge.to)
  })
}

/** Adds a new block in a new group on an edge, at a position or between its ends. One undo step. */
export function addOnEdge(editor: Editor, kind: string, title: string, edgeId: string, at?: Point): void {
  const block = createBlock(editor, kind)
  const place = at ?? between(editor, edgeId, block)
  if (!place) return
  editor.document.commands.batch(() => {
    const groupId = addGroup(editor, title, place, [block])
    insertOnEdge(editor, edgeId, groupId, block)
  })
  openBlock(editor.store, block.id)
}

/** Whether a group can be inserted into an edge as it is: no edge leads to it, and it has an unconnected exit. */
export function fitsOnEdge(editor: Editor, groupId: string): boolean {
  const { groups, blocks, edges } = editor.document.projection()
  const ids = groups.get(groupId)?.blockIds ?? []
  const first = blocks.get(ids[0] ?? '')
  const last = blocks.get(ids.at(-1) ?? '')
  if (!first || !last || editor.registry.find(first.kind)?.category === 'trigger') return false
  for (const { to } of edges.values()) if (to.groupId === groupId) return false
  return openExit(editor, last) !== null
}

/** A block's unconnected exit: the plain one before those for special cases. */
export function openExit({ document, registry }: Editor, block: AnyBlock): Edge['from'] | null {
  if (!registry.find(block.kind)) return null
  const ports = registry.portsOf(block)
  const port = ports.find(({ id }) => id === 'next') ?? ports.find(({ label }) => label === undefined) ?? ports[0]
  const { edges } = document.projection()
  return port && !edges.has(handleId(block.id, port.id)) ? { blockId: block.id, portId: port.id } : null
}

const REACH = 9

/** The edge at or just beside a screen position; not under a group. */
export function edgeAt({ x, y }: Point): string | null {
  for (const dy of [0, -REACH, REACH])
    for (const element of document.elementsFromPoint(x, y + dy)) {
      const id = element.closest<HTMLElement | SVGElement>('.react-flow__edge')?.dataset.id
      if (id !== undefined) return id
    }
  return null
}

function between(editor: Editor, edgeId: string, block: Block): Point | null {
  const { groups, blocks, edges } = editor.document.projection()
  const edge = edges.get(edgeId)
  const source = groups.get(blocks.get(edge?.from.blockId ?? '')?.groupId ?? '')?.position
  const target = groups.get(edge?.to.groupId ?? '')?.position
  if (!source || !target) return null
  return placeFor(editor, { x: (source.x + target.x) / 2, y: (source.y + target.y) / 2 }, [block])
}
