import { ViewportPortal } from '@xyflow/react'
import { type CSSProperties, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useView } from '../canvas/adapter'
import { useEditor } from '../canvas/context'
import { metrics } from '../canvas/geometry'
import { sceneOf } from '../canvas/scene'
import { Button } from '../ui/Button'
import { anchorAt, anchorKey } from './anchors'
import { usePlace } from './PinLayer'
import styles from './PlacingMode.module.css'
import { useBeginThread } from './useBeginThread'
import { useCommentState, useComments } from './useComments'

/** While active, a press on the canvas chooses a comment's anchor instead of selecting or dragging. */
export function PlacingMode() {
  const placing = useCommentState((state) => state.placing)
  return placing ? <Placing /> : null
}

function Placing() {
  const { t } = useTranslation('comments')
  const { store } = useComments()
  usePressesOnCanvas()
  useEscape()
  return (
    <>
      <ViewportPortal>
        <Target />
      </ViewportPortal>
      <div className={styles.bar} role="status">
        {t('placing.hint')}
        <Button size="s" design="ghost" onClick={() => store.setState({ placing: false, target: null })}>
          {t('placing.leave')}
        </Button>
      </div>
    </>
  )
}

/** Outlines the group or block under the pointer. */
function Target() {
  const target = useCommentState((state) => state.target) ?? undefined
  const editor = useEditor()
  const place = usePlace(target)
  if (!target || !place?.groupId) return null
  const layout = sceneOf(editor).groups.get(place.groupId)?.layout
  const block = layout?.blocks.find(({ block: { id } }) => id === place.blockId)
  const inset = block ? metrics.padding : 0
  const size = { width: metrics.width - 2 * inset, height: block?.height ?? layout?.height ?? 0 }
  return (
    <span
      className={styles.target}
      style={{ ...size, transform: `translate(${place.x + inset}px, ${place.y}px)` } as CSSProperties}
      data-comment-target={target.kind}
    />
  )
}

function usePressesOnCanvas(): void {
  const editor = useEditor()
  const view = useView()
  const { store } = useComments()
  const begin = useBeginThread()
  useEffect(() => {
    const canvas = document.querySelector<HTMLElement>('.react-flow')
    if (!canvas) return
    const isPin = ({ target }: Event) => target instanceof Element && target.closest('[data-pin]') !== null
    const under = ({ clientX, clientY }: MouseEvent) =>
      anchorAt(sceneOf(editor), view.toFlow({ x: clientX, y: clientY }), view.viewport().zoom)
    const onMove = (event: PointerEvent) => {
      const target = isPin(event) ? null : under(event)
      const before = store.getState().target
      if (target && before && anchorKey(target) === anchorKey(before)) return
      if (target?.kind !== 'spot' || before?.kind !== 'spot') store.setState({ target })
    }
    const onLeave = () => store.setState({ target: null })
    // prevents selection, drag and marquee
    const hold = (event: MouseEvent) => {
      if (event.button === 0 && !isPin(event)) event.stopPropagation()
    }
    const onClick = (event: MouseEvent) => {
      if (isPin(event)) return
      event.stopPropagation()
      event.preventDefault()
      begin(under(event))
    }
    const listeners = [
      ['pointermove', onMove],
      ['pointerleave', onLeave],
      ['pointerdown', hold],
      ['mousedown', hold],
      ['dblclick', hold],
      ['click', onClick],
    ] as const
    canvas.setAttribute('data-placing-comment', '')
    for (const [type, listener] of listeners) canvas.addEventListener(type, listener as EventListener, true)
    return () => {
      canvas.removeAttribute('data-placing-comment')
      for (const [type, listener] of listeners) canvas.removeEventListener(type, listener as EventListener, true)
      store.setState({ target: null })
    }
  }, [editor, view, store, begin])
}

function useEscape(): void {
  const { store } = useComments()
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      event.preventDefault()
      event.stopPropagation()
      store.setState({ placing: false })
    }
    window.addEventListener('keydown', onKey, true)
    return () => window.removeEventListener('keydown', onKey, true)
  }, [store])
}
