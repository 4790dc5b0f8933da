import { ViewportPortal } from '@xyflow/react'
import { type CSSProperties, useLayoutEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Anchor, CommentThread } from '../../server/contracts/comments'
import { useViewport } from '../canvas/adapter'
import { contains } from '../canvas/boxIndex'
import { useEditor, useProjection } from '../canvas/context'
import type { Point } from '../canvas/geometry'
import { sceneOf } from '../canvas/scene'
import { Avatar } from '../ui/Avatar'
import { anchorKey, placeOf } from './anchors'
import styles from './PinLayer.module.css'
import { usePlaceName } from './placeName'
import { useCommentState, useComments, useThreads } from './useComments'

/** Pins this far outside the view (as a share of it) are rendered, too: panning that far renders nothing. */
const MARGIN = 0.5

interface PlacedThread {
  thread: CommentThread
  at: Point
  groupId: string | null
  /** number of others before it at the same place */
  shift: number
}

/**
 * Pins of the visible threads. They are inside the viewport that React Flow moves and scales, and undo its scale:
 * panning costs nothing, zooming one property.
 */
export function PinLayer() {
  const { store } = useComments()
  // state, not a ref: React Flow creates the element only when it renders
  const [layer, setLayer] = useState<HTMLDivElement | null>(null)
  const pins = usePlacedThreads()
  const seen = usePinsInSight(pins, layer)
  useMovingPins(layer, pins)
  const open = useCommentState((state) => state.open)
  return (
    <ViewportPortal>
      <div ref={setLayer} className={styles.layer} data-comment-pins>
        {seen.map((pin) => (
          <Pin
            key={pin.thread.gid}
            pin={pin}
            open={open === pin.thread.gid}
            onOpen={() => store.setState({ open: open === pin.thread.gid ? null : pin.thread.gid, placing: false })}
          />
        ))}
        <NewPin />
      </div>
    </ViewportPortal>
  )
}

function Pin({ pin, open, onOpen }: { pin: PlacedThread; open: boolean; onOpen: () => void }) {
  const { t } = useTranslation('comments')
  const nameOf = usePlaceName()
  const { thread, at, groupId, shift } = pin
  const replies = thread.comments - 1
  const label = [
    t('pin.label', { name: thread.first.by.name, place: nameOf(thread.anchor) ?? thread.place }),
    replies > 0 && t('pin.replies', { count: replies }),
    thread.unread > 0 && t('pin.unread'),
    thread.resolved && t('pin.resolved'),
  ]
  return (
    <button
      type="button"
      className={`${styles.pin} nopan nodrag`}
      style={{ '--x': `${at.x}px`, '--y': `${at.y}px`, '--shift': shift } as CSSProperties}
      data-pin={thread.gid}
      data-pin-group={groupId ?? undefined}
      data-kind={thread.anchor.kind}
      data-unread={thread.unread > 0 || undefined}
      data-resolved={thread.resolved !== null || undefined}
      aria-expanded={open}
      aria-label={label.filter(Boolean).join(', ')}
      onClick={onOpen}
    >
      <Avatar name={thread.first.by.name} color={thread.first.by.color} size={24} />
      {replies > 0 && (
        <span className={styles.count} aria-hidden>
          {replies + 1}
        </span>
      )}
    </button>
  )
}

/** The pin of a new thread. */
function NewPin() {
  const open = useCommentState((state) => state.open)
  const anchor = typeof open === 'object' ? open?.anchor : undefined
  const at = usePlace(anchor)
  if (!anchor || !at) return null
  return (
    <span
      className={styles.pin}
      style={{ '--x': `${at.x}px`, '--y': `${at.y}px`, '--shift': 0 } as CSSProperties}
      data-pin-group={at.groupId ?? undefined}
      data-kind={anchor.kind}
      data-new
      aria-hidden
    />
  )
}

/** An anchor's position, ignoring drags; null without an anchor, or if its element is deleted. */
export function usePlace(anchor: Anchor | undefined) {
  const editor = useEditor()
  const projection = useProjection((whole) => whole)
  return useMemo(() => (anchor ? placeOf(anchor, sceneOf(editor), projection) : null), [anchor, editor, projection])
}

/** In reading order; those of deleted groups and blocks have no pin. */
function usePlacedThreads(): readonly PlacedThread[] {
  const editor = useEditor()
  const projection = useProjection((whole) => whole)
  const threads = useThreads()
  const showResolved = useCommentState((state) => state.showResolved)
  const open = useCommentState((state) => state.open)
  return useMemo(() => {
    const scene = sceneOf(editor)
    const { at: order } = scene.order()
    const taken = new Map<string, number>()
    return threads
      .filter(({ gid, resolved }) => showResolved || resolved === null || gid === open)
      .toSorted((a, b) => a.first.at.localeCompare(b.first.at))
      .flatMap((thread): PlacedThread[] => {
        const place = placeOf(thread.anchor, scene, projection)
        if (!place) return []
        const key = anchorKey(thread.anchor)
        const shift = taken.get(key) ?? 0
        taken.set(key, shift + 1)
        return [{ thread, at: { x: place.x, y: place.y }, groupId: place.groupId, shift }]
      })
      .sort((a, b) => {
        const place = ({ groupId }: PlacedThread) =>
          groupId === null ? Number.POSITIVE_INFINITY : (order.get(groupId) ?? 0)
        return place(a) === place(b) ? a.at.y - b.at.y || a.at.x - b.at.x : place(a) - place(b)
      })
  }, [editor, projection, threads, showResolved, open])
}

/** Pins near the view. Also sets the layer's zoom. */
function usePinsInSight(pins: readonly PlacedThread[], layer: HTMLDivElement | null): readonly PlacedThread[] {
  const viewport = useViewport()
  const [shown, setShown] = useState<readonly PlacedThread[]>([])
  useLayoutEffect(() => {
    let zoom = 0
    let last: readonly PlacedThread[] = []
    const look = () => {
      const seen = viewport.seen()
      if (!seen) return
      if (seen.zoom !== zoom) layer?.style.setProperty('--unscale', String(1 / seen.zoom))
      zoom = seen.zoom
      const { x, y, width, height } = seen.area
      const wide = {
        x: x - width * MARGIN,
        y: y - height * MARGIN,
        width: width * (1 + 2 * MARGIN),
        height: height * (1 + 2 * MARGIN),
      }
      const next = pins.filter(({ at }) => contains(wide, at))
      if (next.length === last.length && next.every((pin, i) => pin === last[i])) return
      last = next
      setShown(next)
    }
    setShown([])
    look()
    return viewport.subscribe(look)
  }, [pins, viewport, layer])
  return shown
}

/** Moves pins with dragged groups, without rendering. */
function useMovingPins(layer: HTMLDivElement | null, pins: readonly PlacedThread[]): void {
  const { store, document } = useEditor()
  useLayoutEffect(() => {
    const still = new Map(pins.map((pin) => [pin.thread.gid, pin.at]))
    return store.subscribe(({ moving }, before) => {
      if (moving === before.moving) return
      const { groups } = document.projection()
      for (const [groupId, position] of [...before.moving.keys()]
        .map((id) => [id, moving.get(id)] as const)
        .concat([...moving])) {
        const from = groups.get(groupId)?.position
        const by = position && from ? { x: position.x - from.x, y: position.y - from.y } : { x: 0, y: 0 }
        for (const element of layer?.querySelectorAll<HTMLElement>(`[data-pin-group="${CSS.escape(groupId)}"]`) ?? []) {
          const at = still.get(element.dataset.pin ?? '')
          if (!at) continue
          element.style.setProperty('--x', `${at.x + by.x}px`)
          element.style.setProperty('--y', `${at.y + by.y}px`)
        }
      }
    })
  }, [layer, pins, store, document])
}
