import type { GroupView } from '../../../engine/document/commands'
import { addGroup, placeFor, sizeOf } from '../actions'
import { select } from '../canvasStore'
import type { Editor } from '../context'
import { type Box, metrics, type Point } from '../geometry'
import { tell } from '../notice'
import { around, sceneOf } from '../scene'
import { type Clip, clipOf, excessOf, fitClip } from './clip'

/**
 * Where a clip goes. `beside`: a little off from where it was copied, single blocks to what is selected. `corner`: its groups' upper
 * left corner, exactly. `pointer`: around that point, single blocks into the group under it. `centre`: around that point, single blocks
 * to what is selected.
 */
export type PasteTo = { beside: true } | { corner: Point } | { pointer: Point } | { centre: Point }

/** The selection as a piece of flow that can be pasted here or in another flow; null when nothing of it can. */
export function copySelection(editor: Editor): Clip | null {
  const { groups, blocks } = editor.store.getState().selection
  return clipOf(editor, groups, blocks)
}

/**
 * Puts a clip into the flow, as one step of undo, and selects it. Where the flow would get too large nothing is done, and that is said.
 * @param title of the group that single blocks get where there is none for them
 * @returns whether it is there
 */
export function paste(editor: Editor, clip: Clip, title: string, to: PasteTo): boolean {
  const { document, store } = editor
  const { commands } = document
  const { clip: copy, lostIntents } = fitClip(clip, editor, editor.newId)
  const into = copy.blocks.length > 0 ? hostOf(editor, to) : null
  const excess = excessOf(copy, document.projection(), copy.blocks.length > 0 && !into ? 1 : 0)
  if (excess) {
    tell(store, 'error', `tooMany-${excess.what}`, { count: excess.count, cap: excess.cap })
    return false
  }
  const shift = shiftOf(editor, copy, to)
  commands.batch(() => {
    for (const variable of copy.variables) commands.addVariable(variable)
    for (const group of copy.groups)
      commands.addGroup({ ...group, position: { x: group.position.x + shift.x, y: group.position.y + shift.y } })
    if (into)
      copy.blocks.forEach((block, i) => {
        commands.addBlock(into.group.id, into.index + i, block)
      })
    else if (copy.blocks.length > 0) addGroup(editor, title, placeFor(editor, pointOf(to), copy.blocks), copy.blocks)
    for (const edge of copy.edges) commands.connect(edge.from, edge.to)
  })
  select(store, { groups: copy.groups.map(({ id }) => id), blocks: copy.blocks.map(({ id }) => id) })
  if (lostIntents > 0) tell(store, 'neutral', 'lostIntents', { count: lostIntents })
  return true
}

/** A copy of the selection beside it. */
export function duplicateSelection(editor: Editor, title: string): boolean {
  const clip = copySelection(editor)
  return clip !== null && paste(editor, clip, title, { beside: true })
}

/** The group that single blocks go to, and the place among its blocks; null where they get one of their own. */
function hostOf(editor: Editor, to: PasteTo): { group: GroupView; index: number } | null {
  if ('corner' in to) return null
  const { groups, blocks } = editor.document.projection()
  const { selection } = editor.store.getState()
  const selected = blocks.get([...selection.blocks].at(-1) ?? '')
  const [only, ...others] = selection.groups
  const wanted =
    'pointer' in to ? sceneOf(editor).groupAt(to.pointer) : (selected?.groupId ?? (others.length > 0 ? '' : only))
  const group = groups.get(wanted ?? '')
  if (!group) return null
  const beside = selected?.groupId === group.id ? selected : undefined
  return { group, index: beside ? group.blockIds.indexOf(beside.id) + 1 : group.blockIds.length }
}

function shiftOf(editor: Editor, copy: Clip, to: PasteTo): Point {
  const box = boxOf(editor, copy)
  if (!box || 'beside' in to) return { x: STEP, y: STEP }
  if ('corner' in to) return { x: to.corner.x - box.x, y: to.corner.y - box.y }
  const { x, y } = pointOf(to)
  const shift = { x: Math.round(x - box.x - box.width / 2), y: Math.round(y - box.y - box.height / 2) }
  // the same pasted twice must not hide the first
  const taken = new Set(Array.from(editor.document.projection().groups.values(), ({ position }) => key(position)))
  const hides = () =>
    copy.groups.some(({ position }) => taken.has(key({ x: position.x + shift.x, y: position.y + shift.y })))
  while (hides()) {
    shift.x += STEP
    shift.y += STEP
  }
  return shift
}

const STEP = 40
const key = ({ x, y }: Point): string => `${Math.round(x)},${Math.round(y)}`
const pointOf = (to: PasteTo): Point =>
  'pointer' in to ? to.pointer : 'centre' in to ? to.centre : 'corner' in to ? to.corner : { x: 0, y: 0 }

/** What the clip's groups cover. */
const boxOf = (editor: Editor, { groups }: Clip): Box | null =>
  around(
    groups.map(({ position, blocks }) => ({
      ...position,
      width: metrics.width,
      height: sizeOf(editor, blocks).height,
    })),
  )
