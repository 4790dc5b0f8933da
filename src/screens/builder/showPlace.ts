import { useEffect, useRef } from 'react'
import type { Chatbot } from '../../../server/contracts/chatbots'
import { useView } from '../../canvas/adapter'
import { select } from '../../canvas/canvasStore'
import { useEditor } from '../../canvas/context'

/** A block in any of the chatbot's flows (null: the main one), or a whole group. */
export interface ShownPlace {
  flowId: string | null
  groupId?: string
  blockId?: string | undefined
  /** keeps the linking panel in front of the settings */
  keepPanel?: boolean
}

/**
 * Selects a place and brings it into view; in another flow after opening that.
 * @param fid the open flow
 * @param onShown called after each selection
 */
export function useShowPlace(
  chatbot: Chatbot,
  fid: string,
  onOpen: (fid: string) => void,
  onShown?: (place: ShownPlace) => void,
): (place: ShownPlace) => void {
  const { store, document: flow } = useEditor()
  const view = useView()
  const wanted = useRef<ShownPlace | null>(null)
  const fidOf = ({ flowId }: ShownPlace) => flowId ?? chatbot.fid

  const show = (place: ShownPlace) => {
    const { groups, blocks } = flow.projection()
    const block = place.blockId === undefined ? undefined : blocks.get(place.blockId)
    const groupId = block?.groupId ?? place.groupId
    const group = groupId === undefined ? undefined : groups.get(groupId)
    if (!group || (place.blockId !== undefined && !block)) return
    select(store, block ? { blocks: [block.id] } : { groups: [group.id] })
    onShown?.(place)
    view.show(group.id, block?.id ?? group.blockIds[0] ?? '')
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per flow
  useEffect(() => {
    const place = wanted.current
    if (!place || fidOf(place) !== fid) return
    wanted.current = null
    // after this flow's canvas is rendered
    const frame = requestAnimationFrame(() => requestAnimationFrame(() => show(place)))
    return () => cancelAnimationFrame(frame)
  }, [fid])

  return (place) => {
    if (fidOf(place) === fid) return show(place)
    wanted.current = place
    onOpen(fidOf(place))
  }
}
