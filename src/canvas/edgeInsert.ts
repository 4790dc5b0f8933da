import type { BlockView } from '../../engine/document/commands'
import type { Block, Edge } from '../../engine/flow/schema'
import { addGroup, createBlock, placeFor } from './actions'
import type { Editor } from './context'
import { openBlock } from './editing/openBlock'
import { handleId, type Point } from './geometry'

/** Putting something between the two ends of an edge. */

type AnyBlock = Pick<BlockView, 'id' | 'kind' | 'data'>

/**
 * Leads an edge to a group, and on from the group's last block to where the edge led. An edge that is gone changes nothing.
 *
 * @param last the group's last block; the projection may not know of it yet
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

/** A new block in a group of its own on an edge; without a place it finds one between the ends. One step of undo. */
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

/** The group that may be put on an edge as it is: nothing leads to it, and its way out is open. */
export function fitsOnEdge(editor: Editor, groupId: string): boolean {
  const { groups, blocks, edges } = editor.document.projection()
  const ids = groups.get(groupId)?.blockIds ?? []
  const first = blocks.get(ids[0] ?? '')
  const last = blocks.get(ids.at(-1) ?? '')
  if (!first || !last || editor.registry.find(first.kind)?.category === 'trigger') return false
  for (const { to } of edges.values()) if (to.groupId === groupId) return false
  return openExit(editor, last) !== null
}

/** The way on from a block that leads nowhere yet: its plain one before those for special cases. */
export function openExit({ document, registry }: Editor, block: AnyBlock): Edge['from'] | null {
  if (!registry.find(block.kind)) return null
  const ports = registry.portsOf(block)
  const port = ports.find(({ id }) => id === 'next') ?? ports.find(({ label }) => label === undefined) ?? ports[0]
  const { edges } = document.projection()
  return port && !edges.has(handleId(block.id, port.id)) ? { blockId: block.id, portId: port.id } : null
}

const REACH = 9

/** The edge at a point of the screen, also just beside it; not under a group. */
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
