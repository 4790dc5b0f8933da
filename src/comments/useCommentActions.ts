import { MessageSquare, MessageSquareOff, MessageSquarePlus } from 'lucide-react'
import { useMemo } from 'react'
import type { Anchor } from '../../server/contracts/comments'
import { type Action, useProvideActions } from '../canvas/actionRegistry'
import { useEditor } from '../canvas/context'
import { useBeginThread } from './useBeginThread'
import { useComments } from './useComments'

/** Key of the placing mode. */
export const PLACING_KEY = 't'

/** Actions for keys, palette and context menu: comment on something, show resolved threads. */
export function useCommentActions(): void {
  const editor = useEditor()
  const { store, mayWrite } = useComments()
  const begin = useBeginThread()
  useProvideActions(
    useMemo(() => {
      const { store: canvas } = editor
      const selected = (): Anchor | null => {
        const { groups, blocks, edges } = canvas.getState().selection
        if (groups.size + blocks.size !== 1 || edges.size > 0) return null
        const [group] = groups
        const [block] = blocks
        return group === undefined ? { kind: 'block', id: block ?? '' } : { kind: 'group', id: group }
      }
      const look = { section: 'view', writes: false } as const
      const actions: Action[] = [
        {
          ...look,
          id: 'showResolvedComments',
          icon: MessageSquare,
          enabled: () => !store.getState().showResolved,
          run: () => store.setState({ showResolved: true }),
        },
        {
          ...look,
          id: 'hideResolvedComments',
          icon: MessageSquareOff,
          enabled: () => store.getState().showResolved,
          run: () => store.setState({ showResolved: false }),
        },
      ]
      if (!mayWrite) return actions
      const write = { section: 'edit', writes: false, icon: MessageSquarePlus } as const
      return [
        ...actions,
        {
          ...write,
          id: 'placeComment',
          keys: [PLACING_KEY],
          run: () => store.setState(({ placing }) => ({ placing: !placing, open: null })),
        },
        {
          ...write,
          id: 'commentSelection',
          keys: [`shift+${PLACING_KEY}`],
          menu: 'selection',
          enabled: () => selected() !== null,
          needs: 'one',
          run: () => {
            const anchor = selected()
            if (anchor) begin(anchor)
          },
        },
        {
          ...write,
          id: 'commentSpot',
          menu: 'canvas',
          enabled: () => canvas.getState().menu !== null,
          run: () => {
            const at = canvas.getState().menu?.flow
            if (at) begin({ kind: 'spot', x: Math.round(at.x), y: Math.round(at.y) })
          },
        },
      ]
    }, [editor, store, mayWrite, begin]),
  )
}
