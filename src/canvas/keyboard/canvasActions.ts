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
import { deleteSelection, selectAll } from '../actions'
import { useView, type View } from '../adapter'
import { nothingSelected, select } from '../canvasStore'
import { copySelection } from '../clipboard/paste'
import { readClipboard, writeClipboard } from '../clipboard/systemClipboard'
import { type Pasting, usePasting } from '../clipboard/usePasting'
import { type Editor, useEditor } from '../context'
import { announce } from './announce'
import { stopInFocus } from './stopElements'

/** Actions on the whole flow: edit, select, view. */
export function useProvideCanvasActions(): void {
  const editor = useEditor()
  const view = useView()
  const pasting = usePasting()
  const { t } = useTranslation('builder')
  useProvideActions(
    useMemo(
      () => [...editActions(editor, pasting, t), ...selectActions(editor), ...viewActions(editor, view)],
      [editor, view, pasting, t],
    ),
  )
}

function editActions(editor: Editor, pasting: Pasting, t: TFunction<'builder'>): Action[] {
  const { document, store } = editor
  const say = (what: 'undone' | 'redone' | 'copied' | 'deleted' | 'disconnected') =>
    announce(store, t(`announce.${what}`))
  const edit = { section: 'edit', writes: true } as const
  const menu = 'selection'
  const some = () => size(editor) > 0 || stopInFocus() !== null
  const copyable = () => some() && (size(editor) === 0 || store.getState().selection.edges.size < size(editor))
  const copy = () => {
    grasp(editor)
    const clip = copySelection(editor)
    if (!clip) return
    writeClipboard(JSON.stringify(clip))
    say('copied')
  }
  const remove = () => {
    const port = stopInFocus()
    if (port?.blockId !== undefined && port.portId !== undefined) {
      document.commands.disconnect([{ blockId: port.blockId, portId: port.portId }])
      return say('disconnected')
    }
    grasp(editor)
    if (deleteSelection(editor)) say('deleted')
  }
  return [
    {
      ...edit,
      id: 'undo',
      keys: ['mod+z'],
      icon: Undo2,
      enabled: () => document.undo.canUndo(),
      needs: 'undo',
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
      needs: 'redo',
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
      needs: 'group',
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
      needs: 'selection',
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
      needs: 'selection',
      run: () => {
        copy()
        if (deleteSelection(editor)) say('deleted')
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
        const at = store.getState().menu?.flow ?? null
        void readClipboard().then((carried) => pasting.paste(carried, at))
      },
    },
    {
      ...edit,
      id: 'duplicate',
      keys: ['mod+d'],
      icon: CopyPlus,
      menu,
      enabled: copyable,
      needs: 'selection',
      run: () => {
        grasp(editor)
        pasting.duplicate()
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
      needs: 'selection',
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
      needs: 'content',
      run: () => selectAll(editor),
    },
    {
      ...section,
      id: 'selectNone',
      keys: ['Escape'],
      icon: SquareDashed,
      enabled: () => size(editor) > 0,
      needs: 'selection',
      run: () => store.setState({ selection: nothingSelected }),
    },
  ]
}

function viewActions({ document, store }: Editor, view: View): Action[] {
  const section = { section: 'view', writes: false } as const
  return [
    { ...section, id: 'zoomIn', keys: ['+', '='], icon: ZoomIn, run: view.zoomIn },
    { ...section, id: 'zoomOut', keys: ['-'], icon: ZoomOut, run: view.zoomOut },
    { ...section, id: 'actualSize', keys: ['shift+0'], icon: Search, run: () => view.zoomTo(1) },
    {
      ...section,
      id: 'fit',
      keys: ['shift+1'],
      icon: Maximize,
      menu: 'canvas',
      enabled: () => document.projection().groups.size > 0,
      needs: 'content',
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

/** Without a selection, selects what has the focus. */
export function grasp(editor: Editor): void {
  const stop = size(editor) === 0 ? stopInFocus() : null
  if (stop) select(editor.store, stop.blockId === undefined ? { groups: [stop.groupId] } : { blocks: [stop.blockId] })
}

/** The group whose title F2 edits: the selected one, or the one with the focus. */
function groupToName({ document, store }: Editor): string | undefined {
  const { groups, blocks } = store.getState().selection
  if (groups.size === 1 && blocks.size === 0) return [...groups][0]
  if (groups.size === 0 && blocks.size === 1) return document.projection().blocks.get([...blocks][0] ?? '')?.groupId
  return groups.size + blocks.size === 0 ? stopInFocus()?.groupId : undefined
}
