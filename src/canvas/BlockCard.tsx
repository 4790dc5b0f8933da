import { memo, type PointerEvent } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './BlockCard.module.css'
import { select } from './canvasStore'
import { useCanvasState, useEditor, useKindTexts, useNames } from './context'
import { CardEditor, isInEditor } from './editing/CardEditor'
import { cardTextsOf, openBlock } from './editing/openBlock'
import { FaceBoundary } from './FaceBoundary'
import { type BlockPlace, metrics } from './geometry'
import { faceOf, iconOf } from './kindFaces'
import { MarkBadges } from './MarkBadges'
import { PortHandle } from './PortHandle'

interface BlockCardProps {
  place: BlockPlace
  last: boolean
  onGrab: (event: PointerEvent, blockId: string) => void
}

/** A block in its group: icon, the kind's face, and its ports at the group's right edge. */
export const BlockCard = memo(function BlockCard({ place, last, onGrab }: BlockCardProps) {
  const { block } = place
  const { registry, store, readOnly } = useEditor()
  const names = useNames()
  const kinds = useKindTexts()
  const { t } = useTranslation('builder')
  const selected = useCanvasState((state) => state.selection.blocks.has(block.id))
  const active = useCanvasState((state) => state.debug?.active?.blockId === block.id)
  const dragged = useCanvasState(
    ({ drag }) => drag !== null && 'blockIds' in drag.what && drag.what.blockIds.includes(block.id),
  )
  const editing = useCanvasState((state) => (state.editing?.blockId === block.id ? state.editing : null))
  const text = editing && cardTextsOf(block).find(({ key }) => key === editing.key)
  const definition = registry.find(block.kind)
  const Icon = iconOf(block.kind)
  const face = definition ? faceOf(block.kind) : undefined
  const plain = (
    <span className={styles.plain}>
      {definition ? kinds.title(block.kind) : t('unknown.face', { kind: block.kind })}
    </span>
  )
  return (
    // biome-ignore lint/a11y/useSemanticElements: no form; a button may not contain the port buttons
    // biome-ignore lint/a11y/useKeyWithClickEvents: the action `selectHere` has the key
    <div
      className={`${styles.block} nodrag`}
      role="group"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: Enter opens its settings
      tabIndex={0}
      aria-label={t('canvas.block', { kind: kinds.title(block.kind) })}
      aria-current={selected || undefined}
      data-block-id={block.id}
      data-selected={selected || undefined}
      data-active={active || undefined}
      data-dragged={dragged || undefined}
      data-editing={text ? true : undefined}
      style={{ top: place.top, height: place.height }}
      onPointerDown={
        readOnly ? undefined : (event) => (isInEditor(event.target) ? event.stopPropagation() : onGrab(event, block.id))
      }
      onClick={(event) => {
        event.stopPropagation()
        if (isInEditor(event.target)) return
        const { blocks, groups } = store.getState().selection
        const again = selected && blocks.size + groups.size === 1
        // touch screens may lack double clicks: the second tap edits
        if (again && !readOnly && isTouch(event.nativeEvent))
          return openBlock(store, block.id, { x: event.clientX, y: event.clientY })
        select(store, { blocks: [block.id] }, event.shiftKey || event.ctrlKey || event.metaKey)
      }}
      onDoubleClick={(event) => {
        event.stopPropagation()
        const isPort = event.target instanceof Element && event.target.closest('.react-flow__handle') !== null
        if (!readOnly && !isPort && !isInEditor(event.target))
          openBlock(store, block.id, { x: event.clientX, y: event.clientY })
      }}
    >
      <span className={styles.icon} data-category={definition?.category ?? 'other'} aria-hidden>
        <Icon size={15} strokeWidth={1.9} />
      </span>
      <div className={styles.face} style={{ height: place.face }}>
        <FaceBoundary fallback={plain}>
          {face ? <face.Component data={block.data} names={names} /> : plain}
        </FaceBoundary>
      </div>
      <MarkBadges of="blocks" id={block.id} place="block" />
      {place.ports.map((port) => (
        <PortHandle
          key={port.id}
          blockId={block.id}
          port={port}
          top={port.y - place.top}
          quiet={port.label === undefined && !last}
          kind={kinds.title(block.kind)}
        />
      ))}
      {text && editing && <CardEditor block={block} text={text} editing={editing} />}
    </div>
  )
})

const isTouch = (event: Event): boolean => event instanceof PointerEvent && event.pointerType === 'touch'

/** Custom properties for BlockCard.module.css and GroupNode.module.css: the layout's own numbers. */
export const metricVariables: Record<string, string> = {
  '--g-header': `${metrics.header}px`,
  '--g-padding': `${metrics.padding}px`,
  '--g-block-x': `${metrics.blockX}px`,
  '--g-block-y': `${metrics.blockY}px`,
  '--g-icon': `${metrics.icon}px`,
  '--g-port': `${metrics.port}px`,
  '--g-handle': `${metrics.handle}px`,
}
