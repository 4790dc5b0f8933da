import type { GroupView } from '../../../engine/document/commands'
import { addGroup, placeFor, sizeOf } from '../actions'
import { select } from '../canvasStore'
import type { Editor } from '../context'
import { type Box, metrics, type Point } from '../geometry'
import { tell } from '../notice'
import { around, sceneOf } from '../scene'
import { type Clip, clipOf, excessOf, fitClip } from './clip'

/**
 * Where to paste. `beside`: slightly off the original position, single blocks after the selection. `corner`: the
 * groups' top left corner, exactly. `pointer`: around that point, single blocks into the group under it. `centre`:
 * around that point, single blocks after the selection.
 */
export type PasteTo = { beside: true } | { corner: Point } | { pointer: Point } | { centre: Point }

/** The selection as a clip; null if nothing can be copied. */
export function copySelection(editor: Editor): Clip | null {
  const { groups, blocks } = editor.store.getState().selection
  return clipOf(editor, groups, blocks)
}

/**
 * Pastes a clip as one undo step, and selects it. Does nothing but show a message if the flow would get too large.
 * @param title of a new group for single blocks without a target group
 * @returns whether it was pasted
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

/** Duplicates the selection beside it. */
export function duplicateSelection(editor: Editor, title: string): boolean {
  const clip = copySelection(editor)
  return clip !== null && paste(editor, clip, title, { beside: true })
}

/** The group and the index for single blocks; null if they get a new group. */
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
  // pasting twice must not cover the first copy
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

/** The bounding box of the clip's groups. */
const boxOf = (editor: Editor, { groups }: Clip): Box | null =>
  around(
    groups.map(({ position, blocks }) => ({
      ...position,
      width: metrics.width,
      height: sizeOf(editor, blocks).height,
    })),
  )
