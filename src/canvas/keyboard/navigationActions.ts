import {
  ArrowDown,
  ArrowDownToLine,
  ArrowLeft,
  ArrowRight,
  ArrowUp,
  ArrowUpToLine,
  ChevronsDown,
  ChevronsUp,
  CopyCheck,
  type LucideIcon,
  PanelsTopLeft,
  SlidersHorizontal,
  SquareMousePointer,
  TextCursorInput,
} from 'lucide-react'
import type { Action } from '../actionRegistry'
import { select } from '../canvasStore'
import type { Editor } from '../context'
import { cardTextsOf, openBlock } from '../editing/openBlock'
import { againstEdge, alongEdge, exists, nextBlock, nextGroup, type Stop, type Walk } from './order'
import { nextRegion } from './regions'
import { focusStop, hereOf } from './useFocus'

interface Navigation {
  editor: Editor
  walk: () => Walk
  announce: (text: string) => void
  texts: { noWayOn: string; noWayBack: string; end: string; selected: string; unselected: string }
  openSettings: () => void
}

/** Actions that move the keyboard's position. */
export function navigationActions({ editor, walk, announce, texts, openSettings }: Navigation): Action[] {
  const section = { section: 'select', writes: false, on: 'canvas' } as const
  /** the trail for Alt+Left */
  const trail: { from: Stop; to: Stop }[] = []
  const some = () => walk().order.length > 0
  const first = (): Stop | null => edge(0)
  const edge = (at: 0 | -1): Stop | null => {
    const groupId = walk().order.at(at)
    return groupId === undefined ? null : { groupId }
  }
  const go = (find: (from: Stop) => Stop | null, none: string) => () => {
    const here = hereOf(editor, walk())
    const to = here ? find(here) : first()
    if (to) focusStop(editor, to)
    else announce(none)
    return here && to ? { from: here, to } : null
  }
  const follow = go((from) => alongEdge(walk(), from), texts.noWayOn)
  const back = (from: Stop): Stop | null => {
    const step = trail.pop()
    return step && step.to.groupId === from.groupId && exists(walk(), step.from) ? step.from : againstEdge(walk(), from)
  }
  /** selects the item at the position; with `add` toggles it */
  const choose = (add: boolean) => {
    const here = hereOf(editor, walk())
    if (!here) return
    const { groupId, blockId } = here
    select(editor.store, blockId === undefined ? { groups: [groupId] } : { blocks: [blockId] }, add)
    const { groups, blocks } = editor.store.getState().selection
    const on = blockId === undefined ? groups.has(groupId) : blocks.has(blockId)
    announce(on ? texts.selected : texts.unselected)
  }
  /** moves on and adds the item there to the selection */
  const extend = (find: (from: Stop) => Stop | null) => () => {
    const here = hereOf(editor, walk())
    const to = here ? find({ ...here, portId: undefined }) : first()
    if (!to) return announce(texts.end)
    const { groups, blocks } = editor.store.getState().selection
    const stops = here ? [here, to] : [to]
    select(
      editor.store,
      {
        groups: stops.flatMap(({ groupId, blockId }) => (blockId === undefined && !groups.has(groupId) ? groupId : [])),
        blocks: stops.flatMap(({ blockId }) => (blockId !== undefined && !blocks.has(blockId) ? blockId : [])),
      },
      true,
    )
    editor.store.setState({ focused: { ...to } })
  }
  const onStop = { enabled: () => hereOf(editor, walk()) !== null, needs: 'place' } as const
  return [
    {
      ...section,
      id: 'nextBlock',
      keys: ['Alt+ArrowDown'],
      icon: ArrowDown,
      enabled: some,
      needs: 'content',
      run: go((from) => nextBlock(walk(), from, 1), texts.end),
    },
    {
      ...section,
      id: 'previousBlock',
      keys: ['Alt+ArrowUp'],
      icon: ArrowUp,
      enabled: some,
      needs: 'content',
      run: go((from) => nextBlock(walk(), from, -1), texts.end),
    },
    {
      ...section,
      id: 'followEdge',
      keys: ['Alt+ArrowRight'],
      icon: ArrowRight,
      enabled: some,
      needs: 'content',
      run: () => {
        const step = follow()
        if (step) trail.push(step)
      },
    },
    {
      ...section,
      id: 'goBack',
      keys: ['Alt+ArrowLeft'],
      icon: ArrowLeft,
      enabled: some,
      needs: 'content',
      run: go(back, texts.noWayBack),
    },
    {
      ...section,
      id: 'nextGroup',
      keys: ['Alt+PageDown'],
      icon: ChevronsDown,
      enabled: some,
      needs: 'content',
      run: go((from) => nextGroup(walk(), from, 1), texts.end),
    },
    {
      ...section,
      id: 'previousGroup',
      keys: ['Alt+PageUp'],
      icon: ChevronsUp,
      enabled: some,
      needs: 'content',
      run: go((from) => nextGroup(walk(), from, -1), texts.end),
    },
    {
      ...section,
      id: 'firstGroup',
      keys: ['Alt+Home'],
      icon: ArrowUpToLine,
      enabled: some,
      needs: 'content',
      run: go(() => edge(0), texts.end),
    },
    {
      ...section,
      id: 'lastGroup',
      keys: ['Alt+End'],
      icon: ArrowDownToLine,
      enabled: some,
      needs: 'content',
      run: go(() => edge(-1), texts.end),
    },
    ...(
      [
        ['selectToNextBlock', 'shift+Alt+ArrowDown', ArrowDown, (from) => nextBlock(walk(), from, 1)],
        ['selectToPreviousBlock', 'shift+Alt+ArrowUp', ArrowUp, (from) => nextBlock(walk(), from, -1)],
        ['selectToNextGroup', 'shift+Alt+PageDown', ChevronsDown, (from) => nextGroup(walk(), from, 1)],
        ['selectToPreviousGroup', 'shift+Alt+PageUp', ChevronsUp, (from) => nextGroup(walk(), from, -1)],
      ] satisfies [string, string, LucideIcon, (from: Stop) => Stop | null][]
    ).map(([id, key, icon, find]): Action => ({ ...section, id, keys: [key], icon, ...onStop, run: extend(find) })),
    { ...section, id: 'selectHere', keys: ['Space'], icon: SquareMousePointer, ...onStop, run: () => choose(false) },
    { ...section, id: 'selectAlso', keys: ['shift+Space'], icon: CopyCheck, ...onStop, run: () => choose(true) },
    {
      ...section,
      id: 'editText',
      writes: true,
      keys: ['Enter'],
      icon: TextCursorInput,
      enabled: () => cardTextsOf(walk().projection.blocks.get(hereOf(editor, walk())?.blockId ?? '')).length > 0,
      needs: 'text',
      run: () => {
        const blockId = hereOf(editor, walk())?.blockId
        if (blockId !== undefined) openBlock(editor.store, blockId)
      },
    },
    {
      ...section,
      id: 'openSettings',
      keys: ['mod+Enter', 'Enter'],
      icon: SlidersHorizontal,
      enabled: () => hereOf(editor, walk()) !== null,
      needs: 'place',
      run: () => {
        const here = hereOf(editor, walk())
        if (!here) return
        select(editor.store, here.blockId === undefined ? { groups: [here.groupId] } : { blocks: [here.blockId] })
        openSettings()
      },
    },
    {
      id: 'nextRegion',
      section: 'view',
      keys: ['F6'],
      icon: PanelsTopLeft,
      writes: false,
      whileTyping: true,
      run: () => nextRegion(1, () => enter(editor, walk())),
    },
    {
      id: 'previousRegion',
      section: 'view',
      keys: ['shift+F6'],
      icon: PanelsTopLeft,
      writes: false,
      whileTyping: true,
      run: () => nextRegion(-1, () => enter(editor, walk())),
    },
  ]
}

/** Moves the focus to the canvas, to its last position or the start; false if the canvas is empty. */
function enter(editor: Editor, walk: Walk): boolean {
  const groupId = walk.order[0]
  const stop = hereOf(editor, walk) ?? (groupId === undefined ? null : { groupId })
  if (stop) editor.store.setState({ focused: { ...stop } })
  return stop !== null
}
