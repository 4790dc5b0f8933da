import { useCallback } from 'react'
import { type Anchor, commentCaps } from '../../server/contracts/comments'
import { usePlaceName } from './placeName'
import { useComments } from './useComments'

/** Opens the card of a new thread about an anchor. Nothing is stored until it is sent. */
export function useBeginThread(): (anchor: Anchor) => void {
  const { store } = useComments()
  const nameOf = usePlaceName()
  return useCallback(
    (anchor) => {
      const place = anchor.kind === 'spot' ? '' : (nameOf(anchor) ?? '')
      store.setState({ open: { anchor, place: place.slice(0, commentCaps.place) }, placing: false })
    },
    [store, nameOf],
  )
}
