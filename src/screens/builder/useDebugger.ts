import { Bug, CirclePlay, Play, Redo, RotateCcw, Square } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { type Chatbot, platforms } from '../../../server/contracts/chatbots'
import { type Action, useProvideActions } from '../../canvas/actionRegistry'
import { type Editor, useEditor } from '../../canvas/context'
import { createDebugger, type Debugger, type RunFrom } from '../../preview/debugger'
import { debugIn } from './flowDebug'
import { useDebugMarks } from './useDebugMarks'

interface Options {
  pgid: string
  chatbot: Chatbot
  /** the open flow */
  fid: string
  /** whether the pane is open */
  testing: boolean
  onTest: () => void
}

/** The test of the draft, with or without its pane: its actions and its marks on the canvas. */
export function useDebugger({ pgid, chatbot, fid, testing, onTest }: Options): Debugger {
  const editor = useEditor()
  const { store } = editor
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is set up belongs to the chatbot
  const bug = useMemo(
    () => createDebugger({ pgid, cgid: chatbot.gid, fid: chatbot.fid, usualLook: usualLookOf(chatbot) }),
    [pgid, chatbot.gid],
  )
  const flowId = fid === chatbot.fid ? null : fid
  const debug = useStore(bug.store, (state) => state.debug)
  useEffect(() => store.setState({ debug: debugIn(debug, flowId) }), [store, debug, flowId])
  useDebugMarks(bug, flowId)

  const [latest] = useState({ testing, onTest })
  Object.assign(latest, { testing, onTest })
  useProvideActions(
    useMemo(
      () => [...canvasActions(editor, bug, flowId, () => latest.onTest()), ...runActions(bug, () => latest.testing)],
      [editor, bug, flowId, latest],
    ),
  )
  return bug
}

/** How a chatbot is tried that is made for a messaging app, until somebody chooses. */
const usualLookOf = ({ platform_id }: Chatbot) => (platform_id === platforms.messaging ? 'whatsapp' : 'web')

function canvasActions(editor: Editor, bug: Debugger, flowId: string | null, onTest: () => void): Action[] {
  const { store } = editor
  const section = { section: 'flow', writes: false, whileTyping: true } as const
  const from = () => placeOf(editor, flowId)
  return [
    {
      ...section,
      // viewers may only start where visitors do
      writes: true,
      id: 'testFromHere',
      icon: CirclePlay,
      menu: 'selection',
      enabled: () => from() !== null,
      needs: 'one',
      run() {
        bug.runFrom(from())
        onTest()
      },
    },
    {
      ...section,
      id: 'toggleBreakpoint',
      keys: ['F9'],
      icon: Bug,
      menu: 'selection',
      enabled: () => store.getState().selection.blocks.size > 0,
      needs: 'block',
      run: () => bug.toggleBreakpoints([...store.getState().selection.blocks].map((blockId) => ({ flowId, blockId }))),
    },
  ]
}

function runActions(bug: Debugger, isOpen: () => boolean): Action[] {
  const section = { section: 'flow', writes: false, whileTyping: true } as const
  const isPaused = () => isOpen() && bug.isPaused()
  const isUnderWay = () => isOpen() && bug.isUnderWay()
  return [
    {
      ...section,
      id: 'testContinue',
      keys: ['F8'],
      icon: Play,
      enabled: isPaused,
      needs: 'paused',
      run: () => void bug.goOn(false),
    },
    {
      ...section,
      id: 'testStep',
      keys: ['F10'],
      icon: Redo,
      enabled: isPaused,
      needs: 'paused',
      run: () => void bug.goOn(true),
    },
    {
      ...section,
      id: 'testRestart',
      keys: ['alt+F8'],
      icon: RotateCcw,
      enabled: isOpen,
      needs: 'test',
      run: bug.restart,
    },
    {
      ...section,
      id: 'testStop',
      keys: ['shift+F8'],
      icon: Square,
      enabled: isUnderWay,
      needs: 'underWay',
      run: () => void bug.stop(),
    },
  ]
}

/** The single selected block or group; null otherwise, and for groups without blocks. */
function placeOf({ document, store }: Editor, flowId: string | null): RunFrom | null {
  const { selection } = store.getState()
  if (selection.blocks.size + selection.groups.size !== 1) return null
  const { groups, blocks } = document.projection()
  const [blockId] = selection.blocks
  const block = blockId === undefined ? undefined : blocks.get(blockId)
  if (block) return { flowId, groupId: block.groupId, blockId: block.id }
  const group = groups.get([...selection.groups][0] ?? '')
  return group && group.blockIds.length > 0 ? { flowId, groupId: group.id } : null
}
