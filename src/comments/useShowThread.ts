import { useCallback } from 'react'
import type { Anchor } from '../../server/contracts/comments'
import { useView } from '../canvas/adapter'
import { useEditor } from '../canvas/context'
import { sceneOf } from '../canvas/scene'
import { placeOf } from './anchors'
import { useComments } from './useComments'

/** Opens a thread and brings its pin into view; without a pin, only the card. */
export function useShowThread(): (thread: { gid: string; anchor: Anchor }) => void {
  const editor = useEditor()
  const view = useView()
  const { store } = useComments()
  return useCallback(
    ({ gid, anchor }) => {
      store.setState({ open: gid, placing: false })
      const place = placeOf(anchor, sceneOf(editor), editor.document.projection())
      if (!place) return
      if (place.groupId === null) view.panTo(place)
      else view.show(place.groupId, place.blockId ?? undefined)
    },
    [editor, view, store],
  )
}
