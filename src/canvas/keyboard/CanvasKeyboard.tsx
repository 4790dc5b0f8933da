import { VisuallyHidden } from '@mantine/core'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProvideActions } from '../actionRegistry'
import { useView } from '../adapter'
import { useCanvasState, useEditor, useKindTexts } from '../context'
import type { Point } from '../geometry'
import { announce } from './announce'
import { flowActions, type PortRef } from './flowActions'
import { navigationActions } from './navigationActions'
import { type Stop, sameStop } from './order'
import { PortDialog } from './PortDialog'
import { settingsField } from './regions'
import { elementOf, focusWhenThere, stopOf } from './stopElements'
import { useDescribe } from './useDescribe'
import { hereOf, useFocus, useWalk } from './useFocus'

/** Makes the flow editable by keyboard alone: focus, navigation, announcements. */
export function CanvasKeyboard() {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLElement | null>(null)
  const [asking, setAsking] = useState<{ ports: readonly PortRef[]; what: 'connect' | 'disconnect' } | null>(null)
  const announcement = useCanvasState((state) => state.announcement)
  const attach = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    canvas.current = element?.parentElement ?? null
  }, [])
  useFocus(canvas, useDescribe())
  useKeyboardActions(canvas, setAsking)
  useReturnFromSettings()
  useReturnFromTitle()
  return (
    <div ref={attach}>
      <VisuallyHidden aria-live="polite">{announcement}</VisuallyHidden>
      {asking && <PortDialog {...asking} onClose={() => setAsking(null)} />}
    </div>
  )
}

type Ask = (asked: { ports: readonly PortRef[]; what: 'connect' | 'disconnect' }) => void

function useKeyboardActions(canvas: React.RefObject<HTMLElement | null>, ask: Ask): void {
  const editor = useEditor()
  const view = useView()
  const walk = useWalk()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const actions = useMemo(() => {
    const say = (text: string) => announce(editor.store, text)
    const beside = (stop: Stop | null): Point => {
      const box = (stop && canvas.current && elementOf(canvas.current, stop))?.getBoundingClientRect()
      if (box) return { x: box.right + 12, y: box.top + 24 }
      const whole = canvas.current?.getBoundingClientRect()
      return whole ? { x: whole.left + whole.width / 2 - 126, y: whole.top + 120 } : { x: 0, y: 0 }
    }
    const moved = (blockId: string) => {
      const { blocks, groups } = editor.document.projection()
      const block = blocks.get(blockId)
      const group = groups.get(block?.groupId ?? '')
      if (!block || !group) return
      say(
        t('announce.moved', {
          kind: kinds.title(block.kind),
          group: group.title || t('canvas.untitled'),
          place: group.blockIds.indexOf(blockId) + 1,
          of: group.blockIds.length,
        }),
      )
    }
    const ways = navigationActions({
      editor,
      walk,
      announce: say,
      texts: {
        noWayOn: t('announce.noWayOn'),
        noWayBack: t('announce.noWayBack'),
        end: t('announce.end'),
        selected: t('announce.selected'),
        unselected: t('announce.unselected'),
      },
      openSettings: () => focusWhenThere(() => settingsField(t('panel.label'))),
    })
    const building = flowActions({
      editor,
      walk,
      beside,
      centre: view.centre,
      askTarget: (ports) => ask({ ports, what: 'connect' }),
      askDisconnect: (ports) => {
        const [port] = ports
        if (ports.length > 1 || !port) return ask({ ports, what: 'disconnect' })
        editor.document.commands.disconnect([port])
        say(t('announce.disconnected'))
      },
      say: { moved, noPort: () => say(t('announce.noPort')) },
    })
    return [...ways, ...building]
  }, [editor, view, walk, kinds, t, canvas, ask])
  useProvideActions(actions)
}

/** Escape in the settings returns to their block. */
function useReturnFromSettings(): void {
  const { store } = useEditor()
  const editor = useEditor()
  const walk = useWalk()
  const { t } = useTranslation('builder')
  useEffect(() => {
    let ownEscape = false
    const before = (event: KeyboardEvent) => {
      const target = event.target
      ownEscape =
        target instanceof HTMLElement &&
        (target.getAttribute('aria-expanded') === 'true' ||
          target.closest('[role="dialog"], [role="listbox"], [role="menu"]') !== null)
    }
    const after = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || ownEscape || !(event.target instanceof Element)) return
      if (!event.target.closest(`aside[aria-label="${CSS.escape(t('panel.label'))}"]`)) return
      const here = hereOf(editor, walk())
      if (!here) return
      event.preventDefault()
      store.setState({ focused: { ...here } })
    }
    window.addEventListener('keydown', before, true)
    window.addEventListener('keydown', after)
    return () => {
      window.removeEventListener('keydown', before, true)
      window.removeEventListener('keydown', after)
    }
  }, [editor, store, walk, t])
}

/** After a title was typed, the focus returns to its group. */
function useReturnFromTitle(): void {
  const { store } = useEditor()
  useEffect(
    () =>
      store.subscribe(({ editingTitle, focused }, before) => {
        if (editingTitle !== null || before.editingTitle === null || !focused) return
        requestAnimationFrame(() => {
          if (document.activeElement === document.body && !sameStop(stopOf(document.activeElement), focused))
            store.setState({ focused: { ...focused } })
        })
      }),
    [store],
  )
}
