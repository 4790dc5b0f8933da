import type { TFunction } from 'i18next'
import {
  ClipboardCopy,
  ClipboardPaste,
  CopyPlus,
  Hand,
  Maximize,
  MousePointer2,
  PencilLine,
  Plus,
  Redo2,
  Scissors,
  Search,
  SquareDashed,
  SquareDashedMousePointer,
  Trash2,
  Undo2,
  ZoomIn,
  ZoomOut,
} from 'lucide-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Action, useProvideActions } from '../actionRegistry'
import { copySelection, deleteSelection, duplicateSelection, paste, selectAll } from '../actions'
import { useView, type View } from '../adapter'
import { nothingSelected, select } from '../canvasStore'
import { type Editor, useEditor } from '../context'
import { announce } from './announce'
import { readClipboard, writeClipboard } from './clipboard'
import { stopInFocus } from './stopElements'

/** What one can do with the flow as such: edit, select, look at it. */
export function useProvideCanvasActions(): void {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  useProvideActions(
    useMemo(
      () => [...editActions(editor, t), ...selectActions(editor), ...viewActions(editor, view)],
      [editor, view, t],
    ),
  )
}

function editActions(editor: Editor, t: TFunction<'builder'>): Action[] {
  const { document, store } = editor
  const newGroup = t('canvas.newGroup')
  const say = (what: 'undone' | 'redone' | 'deleted' | 'pasted' | 'duplicated' | 'disconnected') =>
    announce(store, t(`announce.${what}`))
  const edit = { section: 'edit', writes: true } as const
  const menu = 'selection'
  const some = () => size(editor) > 0 || stopInFocus() !== null
  const copyable = () => some() && (size(editor) === 0 || store.getState().selection.edges.size < size(editor))
  const copy = () => {
    grasp(editor)
    const clip = copySelection(editor)
    if (clip) writeClipboard(clip)
  }
  const remove = () => {
    const port = stopInFocus()
    if (port?.blockId !== undefined && port.portId !== undefined) {
      document.commands.disconnect([{ blockId: port.blockId, portId: port.portId }])
      return say('disconnected')
    }
    grasp(editor)
    deleteSelection(editor)
    say('deleted')
  }
  return [
    {
      ...edit,
      id: 'undo',
      keys: ['mod+z'],
      icon: Undo2,
      enabled: () => document.undo.canUndo(),
      run: () => {
        editor.undo()
        say('undone')
      },
    },
    {
      ...edit,
      id: 'redo',
      keys: ['mod+shift+z', 'mod+y'],
      icon: Redo2,
      enabled: () => document.undo.canRedo(),
      run: () => {
        editor.redo()
        say('redone')
      },
    },
    {
      ...edit,
      id: 'addBlockHere',
      icon: Plus,
      menu: 'canvas',
      enabled: () => store.getState().menu !== null,
      run: () => {
        const at = store.getState().menu
        if (at) store.setState({ picker: { at: at.at, flow: at.flow, from: null } })
      },
    },
    {
      ...edit,
      id: 'rename',
      keys: ['F2'],
      icon: PencilLine,
      menu,
      enabled: () => groupToName(editor) !== undefined,
      run: () => store.setState({ editingTitle: groupToName(editor) ?? null }),
    },
    {
      ...edit,
      id: 'copy',
      writes: false,
      keys: ['mod+c'],
      native: true,
      icon: ClipboardCopy,
      menu,
      enabled: copyable,
      run: copy,
    },
    {
      ...edit,
      id: 'cut',
      keys: ['mod+x'],
      native: true,
      icon: Scissors,
      menu,
      enabled: copyable,
      run: () => {
        copy()
        deleteSelection(editor)
        say('deleted')
      },
    },
    {
      ...edit,
      id: 'paste',
      keys: ['mod+v'],
      native: true,
      icon: ClipboardPaste,
      menu: 'canvas',
      run: () => {
        const at = store.getState().menu?.flow
        void readClipboard().then((clip) => {
          if (!clip) return
          paste(editor, clip, newGroup, at)
          followSelection(editor)
          say('pasted')
        })
      },
    },
    {
      ...edit,
      id: 'duplicate',
      keys: ['mod+d'],
      icon: CopyPlus,
      menu,
      enabled: copyable,
      run: () => {
        grasp(editor)
        duplicateSelection(editor, newGroup)
        followSelection(editor)
        say('duplicated')
      },
    },
    {
      ...edit,
      id: 'delete',
      keys: ['Delete', 'Backspace'],
      icon: Trash2,
      menu,
      danger: true,
      enabled: some,
      run: remove,
    },
  ]
}

function selectActions(editor: Editor): Action[] {
  const { document, store } = editor
  const section = { section: 'select', writes: false } as const
  return [
    {
      ...section,
      id: 'selectAll',
      keys: ['mod+a'],
      icon: SquareDashedMousePointer,
      menu: 'canvas',
      enabled: () => document.projection().groups.size > 0,
      run: () => selectAll(editor),
    },
    {
      ...section,
      id: 'selectNone',
      keys: ['Escape'],
      icon: SquareDashed,
      enabled: () => size(editor) > 0,
      run: () => store.setState({ selection: nothingSelected }),
    },
  ]
}

function viewActions({ document, store }: Editor, view: View): Action[] {
  const section = { section: 'view', writes: false } as const
  return [
    { ...section, id: 'zoomIn', keys: ['+', '='], icon: ZoomIn, run: view.zoomIn },
    { ...section, id: 'zoomOut', keys: ['-'], icon: ZoomOut, run: view.zoomOut },
    { ...section, id: 'actualSize', keys: ['mod+0'], icon: Search, run: () => view.zoomTo(1) },
    {
      ...section,
      id: 'fit',
      keys: ['shift+1'],
      icon: Maximize,
      menu: 'canvas',
      enabled: () => document.projection().groups.size > 0,
      run: view.fit,
    },
    {
      ...section,
      id: 'selectTool',
      keys: ['v'],
      icon: MousePointer2,
      run: () => store.setState({ tool: 'select' }),
    },
    { ...section, id: 'handTool', keys: ['h'], icon: Hand, run: () => store.setState({ tool: 'hand' }) },
  ]
}

function size({ store }: Editor): number {
  const { groups, blocks, edges } = store.getState().selection
  return groups.size + blocks.size + edges.size
}

/** Where nothing is selected, what has the focus is meant. */
function grasp(editor: Editor): void {
  const stop = size(editor) === 0 ? stopInFocus() : null
  if (stop) select(editor.store, stop.blockId === undefined ? { groups: [stop.groupId] } : { blocks: [stop.blockId] })
}

/** What was just made is selected: the focus goes there from where it was on the canvas. */
function followSelection({ document, store }: Editor): void {
  const [blockId] = store.getState().selection.blocks
  const [groupId] = store.getState().selection.groups
  const group = groupId ?? document.projection().blocks.get(blockId ?? '')?.groupId
  if (stopInFocus() && group !== undefined) store.setState({ focused: { groupId: group, blockId } })
}

/** The group whose title F2 edits: the one that is selected, or that the focus is in. */
function groupToName({ document, store }: Editor): string | undefined {
  const { groups, blocks } = store.getState().selection
  if (groups.size === 1 && blocks.size === 0) return [...groups][0]
  if (groups.size === 0 && blocks.size === 1) return document.projection().blocks.get([...blocks][0] ?? '')?.groupId
  return groups.size + blocks.size === 0 ? stopInFocus()?.groupId : undefined
}
