import { Handle, Position } from '@xyflow/react'
import type { KeyboardEvent, MouseEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useEditor, useProjection } from './context'
import { handleId, type PortPlace } from './geometry'
import { MarkBadges } from './MarkBadges'
import styles from './PortHandle.module.css'

interface PortHandleProps {
  blockId: string
  port: PortPlace
  /** from the block's top */
  top: number
  /** visible only on hover and when connected, because the block continues below anyway */
  quiet: boolean
  kind: string
}

/** A port's handle: drag it to a target, or click it to choose from the palette. */
export function PortHandle({ blockId, port, top, quiet, kind }: PortHandleProps) {
  const { store, readOnly } = useEditor()
  const { t } = useTranslation('builder')
  const id = handleId(blockId, port.id)
  const connected = useProjection((projection) => projection.edges.has(id))
  const choose = (event: MouseEvent | KeyboardEvent) => {
    event.stopPropagation()
    if (readOnly) return
    const box = event.currentTarget.getBoundingClientRect()
    const at = { x: box.right + 8, y: box.top }
    store.setState({ picker: { at, flow: null, from: { blockId, portId: port.id } } })
  }
  return (
    <>
      {port.ownRow && (
        <span className={styles.label} style={{ top }} aria-hidden>
          {port.label}
        </span>
      )}
      {!connected && <MarkBadges of="edges" id={id} place="port" top={top} />}
      <Handle
        type="source"
        position={Position.Right}
        id={id}
        className={styles.port}
        style={{ top }}
        isConnectable={!readOnly}
        role="button"
        tabIndex={readOnly ? -1 : 0}
        aria-label={t(connected ? 'canvas.portConnected' : 'canvas.port', {
          port: port.label ?? t('canvas.next'),
          kind,
        })}
        data-connected={connected || undefined}
        data-quiet={quiet || undefined}
        onPointerDown={(event) => event.stopPropagation()}
        onClick={choose}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== ' ') return
          event.preventDefault()
          choose(event)
        }}
      />
    </>
  )
}
