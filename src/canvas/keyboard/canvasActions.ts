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
import { nothingSelected } from '../canvasStore'
import { type Editor, useEditor } from '../context'
import { readClipboard, writeClipboard } from './clipboard'

/** What one can do with the flow as such: edit, select, look at it. */
export function useProvideCanvasActions(): void {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  useProvideActions(
    useMemo(
      () => [...editActions(editor, t('canvas.newGroup')), ...selectActions(editor), ...viewActions(editor, view)],
      [editor, view, t],
    ),
  )
}

function editActions(editor: Editor, newGroup: string): Action[] {
  const { document, store } = editor
  const edit = { section: 'edit', writes: true } as const
  const some = () => size(editor) > 0
  const copyable = () => copySelection(editor) !== null
  const copy = () => {
    const clip = copySelection(editor)
    if (clip) writeClipboard(clip)
  }
  const addBlock = () => {
    const { menu } = store.getState()
    if (menu) store.setState({ picker: { at: menu.at, flow: menu.flow, from: null } })
  }
  return [
    { ...edit, id: 'undo', keys: ['mod+z'], icon: Undo2, enabled: () => document.undo.canUndo(), run: editor.undo },
    {
      ...edit,
      id: 'redo',
      keys: ['mod+shift+z', 'mod+y'],
      icon: Redo2,
      enabled: () => document.undo.canRedo(),
      run: editor.redo,
    },
    {
      ...edit,
      id: 'addBlockHere',
      icon: Plus,
      menu: 'canvas',
      enabled: () => store.getState().menu !== null,
      run: addBlock,
    },
    {
      ...edit,
      id: 'rename',
      keys: ['F2'],
      icon: PencilLine,
      menu: 'selection',
      enabled: () => onlyGroup(editor) !== undefined,
      run: () => store.setState({ editingTitle: onlyGroup(editor) ?? null }),
    },
    {
      ...edit,
      id: 'copy',
      writes: false,
      keys: ['mod+c'],
      native: true,
      icon: ClipboardCopy,
      menu: 'selection',
      enabled: copyable,
      run: copy,
    },
    {
      ...edit,
      id: 'cut',
      keys: ['mod+x'],
      native: true,
      icon: Scissors,
      menu: 'selection',
      enabled: copyable,
      run: () => {
        copy()
        deleteSelection(editor)
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
        void readClipboard().then((clip) => clip && paste(editor, clip, newGroup, at))
      },
    },
    {
      ...edit,
      id: 'duplicate',
      keys: ['mod+d'],
      icon: CopyPlus,
      menu: 'selection',
      enabled: copyable,
      run: () => duplicateSelection(editor, newGroup),
    },
    {
      ...edit,
      id: 'delete',
      keys: ['Delete', 'Backspace'],
      icon: Trash2,
      menu: 'selection',
      danger: true,
      enabled: some,
      run: () => deleteSelection(editor),
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

function onlyGroup({ store }: Editor): string | undefined {
  const { groups, blocks } = store.getState().selection
  return groups.size === 1 && blocks.size === 0 ? [...groups][0] : undefined
}
