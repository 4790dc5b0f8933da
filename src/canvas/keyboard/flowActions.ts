import { ArrowDownFromLine, ArrowUpFromLine, Plus, Spline, Unplug } from 'lucide-react'
import type { BlockView } from '../../../engine/document/commands'
import type { Action } from '../actionRegistry'
import { moveBlocks, placeFor } from '../actions'
import { select } from '../canvasStore'
import type { Editor } from '../context'
import { handleId, type Point } from '../geometry'
import { nextGroup, type Stop, type Walk } from './order'
import { focusStop, hereOf } from './useFocus'

export interface PortRef {
  blockId: string
  portId: string
}

interface Building {
  editor: Editor
  walk: () => Walk
  /** a screen position beside a stop, or the centre of the canvas */
  beside: (stop: Stop | null) => Point
  /** the centre of the view, in flow coordinates */
  centre: () => Point
  /** asks which port to connect, then for its target */
  askTarget: (ports: readonly PortRef[]) => void
  /** asks which port to disconnect */
  askDisconnect: (ports: readonly PortRef[]) => void
  say: { moved: (blockId: string) => void; noPort: () => void }
}

/** Actions that edit the flow at the keyboard's position. */
export function flowActions(building: Building): Action[] {
  const { editor, walk, beside, centre, askTarget, askDisconnect, say } = building
  const { store } = editor
  const section = { section: 'flow', writes: true, on: 'canvas' } as const
  const here = () => hereOf(editor, walk())
  const blockHere = (): BlockView | undefined => walk().projection.blocks.get(here()?.blockId ?? '')
  const add = () => {
    const stop = here()
    const at = beside(stop)
    const group = walk().projection.groups.get(stop?.groupId ?? '')
    if (!stop || !group) return store.setState({ picker: { at, flow: placeFor(editor, centre(), []), from: null } })
    if (stop.blockId !== undefined && stop.portId !== undefined)
      return store.setState({ picker: { at, flow: null, from: { blockId: stop.blockId, portId: stop.portId } } })
    const after = stop.blockId === undefined ? group.blockIds.length - 1 : group.blockIds.indexOf(stop.blockId)
    store.setState({ picker: { at, flow: null, from: null, into: { groupId: group.id, index: after + 1 } } })
  }
  const move = (step: 1 | -1) => {
    const block = blockHere()
    const group = walk().projection.groups.get(block?.groupId ?? '')
    if (!block || !group) return
    const at = group.blockIds.indexOf(block.id) + step
    if (at >= 0 && at < group.blockIds.length) moveBlocks(editor, [block.id], group.id, step === 1 ? at + 1 : at)
    else {
      const next = nextGroup(walk(), { groupId: group.id }, step)
      const count = walk().projection.groups.get(next?.groupId ?? '')?.blockIds.length ?? 0
      if (!next) return
      moveBlocks(editor, [block.id], next.groupId, step === 1 ? 0 : count)
    }
    const groupId = walk().projection.blocks.get(block.id)?.groupId ?? group.id
    select(store, { blocks: [block.id] })
    focusStop(editor, { groupId, blockId: block.id })
    say.moved(block.id)
  }
  const ask = (then: (ports: readonly PortRef[]) => void, connected: boolean) => () => {
    const ports = portsFrom(here(), walk()).filter(
      ({ blockId, portId }) => !connected || walk().projection.edges.has(handleId(blockId, portId)),
    )
    if (ports.length > 0) then(ports)
    else say.noPort()
  }
  return [
    { ...section, id: 'addBlock', keys: ['a', '/'], icon: Plus, run: add },
    {
      ...section,
      id: 'connect',
      keys: ['c'],
      icon: Spline,
      enabled: () => here() !== null,
      needs: 'place',
      run: ask(askTarget, false),
    },
    {
      ...section,
      id: 'disconnect',
      keys: ['shift+c'],
      icon: Unplug,
      enabled: () => here() !== null,
      needs: 'place',
      run: ask(askDisconnect, true),
    },
    {
      ...section,
      id: 'moveUp',
      keys: ['mod+shift+ArrowUp'],
      icon: ArrowUpFromLine,
      enabled: () => blockHere() !== undefined,
      needs: 'place',
      run: () => move(-1),
    },
    {
      ...section,
      id: 'moveDown',
      keys: ['mod+shift+ArrowDown'],
      icon: ArrowDownFromLine,
      enabled: () => blockHere() !== undefined,
      needs: 'place',
      run: () => move(1),
    },
  ]
}

/** The port at the position, otherwise those of the block, otherwise those of the group's last block. */
function portsFrom(stop: Stop | null, { projection, ports }: Walk): PortRef[] {
  if (!stop) return []
  if (stop.blockId !== undefined && stop.portId !== undefined) return [{ blockId: stop.blockId, portId: stop.portId }]
  const block = projection.blocks.get(stop.blockId ?? projection.groups.get(stop.groupId)?.blockIds.at(-1) ?? '')
  return block ? ports(block).map((portId) => ({ blockId: block.id, portId })) : []
}
