import { Network } from 'lucide-react'
import { useCallback, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { notify } from '../../ui/notify'
import { type Action, useProvideActions } from '../actionRegistry'
import { useView } from '../adapter'
import { type Editor, useEditor } from '../context'
import type { Point } from '../geometry'
import { arrangeFlow } from './arrangeFlow'
import { layoutGraph, placeGroups } from './layoutGraph'

/** With more groups there is no animation. */
const SLIDING = 300
const SLIDE_MS = 280

/**
 * Arranges groups from left to right along the flow: all, or the given ones, in one undo step. Used by the actions
 * `layoutAll` and `layoutSelection`.
 */
export function useAutoLayout(): (groupIds?: ReadonlySet<string>) => Promise<void> {
  const editor = useEditor()
  const view = useView()
  const { t } = useTranslation('builder')
  const running = useRef<AbortController | null>(null)
  const run = useCallback(
    async (groupIds: ReadonlySet<string> | null = null) => {
      const { document, registry, store } = editor
      running.current?.abort()
      const work = new AbortController()
      running.current = work
      const graph = layoutGraph(document.toFlow(), document.projection(), registry, groupIds)
      store.setState({ arranging: { groups: graph.children.length, cancel: () => work.abort() } })
      try {
        const places = await arrangeFlow(graph, work.signal)
        store.setState({ arranging: null })
        const moves = placeGroups(places, document.projection(), anchorOf(editor, groupIds))
        if (moves.length === 0) return notify.neutral(t('layout.tidy'))
        await slide(editor, moves, work.signal)
        document.commands.moveGroups(moves)
        if (groupIds) view.fitGroups(groupIds)
        else view.fit()
      } catch {
        if (!work.signal.aborted) notify.error(t('layout.failed'))
      } finally {
        if (running.current === work) store.setState({ arranging: null, moving: new Map() })
      }
    },
    [editor, view, t],
  )
  useLayoutActions(run)
  return run
}

function useLayoutActions(run: (groupIds?: ReadonlySet<string>) => Promise<void>): void {
  const { document, store } = useEditor()
  useProvideActions(
    useMemo(
      (): Action[] => [
        {
          id: 'layoutAll',
          section: 'arrange',
          keys: ['shift+alt+l'],
          writes: true,
          menu: 'canvas',
          icon: Network,
          enabled: () => document.projection().groups.size > 1,
          needs: 'content',
          run: () => void run(),
        },
        {
          id: 'layoutSelection',
          section: 'arrange',
          keys: ['alt+l'],
          writes: true,
          menu: 'selection',
          icon: Network,
          enabled: () => store.getState().selection.groups.size > 1,
          needs: 'twoGroups',
          run: () => void run(store.getState().selection.groups),
        },
      ],
      [document, store, run],
    ),
  )
}

/** The first group with a trigger, which stays in place. */
function anchorOf({ document, registry }: Editor, groupIds: ReadonlySet<string> | null): string | undefined {
  const starts = [...document.projection().blocks.values()].filter(
    ({ kind, groupId }) => registry.find(kind)?.category === 'trigger' && (groupIds?.has(groupId) ?? true),
  )
  return starts[0]?.groupId
}

/** Animates groups to their positions; at once if there are many, or with reduced motion. */
async function slide(
  { document, store }: Editor,
  moves: readonly { groupId: string; position: Point }[],
  signal: AbortSignal,
): Promise<void> {
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  if (still || moves.length > SLIDING) return
  const { groups } = document.projection()
  const ways = moves.map(({ groupId, position }) => ({
    groupId,
    from: groups.get(groupId)?.position ?? position,
    to: position,
  }))
  const begin = performance.now()
  for (let share = 0; share < 1 && !signal.aborted; ) {
    const now = await new Promise<number>(requestAnimationFrame)
    share = Math.min((now - begin) / SLIDE_MS, 1)
    const eased = 1 - (1 - share) ** 3
    const at = ({ from, to }: { from: Point; to: Point }) => ({
      x: from.x + (to.x - from.x) * eased,
      y: from.y + (to.y - from.y) * eased,
    })
    store.setState({ moving: new Map(ways.map((way) => [way.groupId, at(way)])) })
  }
  signal.throwIfAborted()
}
