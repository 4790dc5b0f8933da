import { EdgeLabelRenderer } from '@xyflow/react'
import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { EdgeView } from '../../engine/document/commands'
import { useCanvasState, useEditor } from './context'
import styles from './EdgeButtons.module.css'
import { hoverEdge } from './edgeHover'

/** More than half of FlowEdge's interactionWidth. */
const BESIDE = 10

/**
 * Buttons beside the middle of an edge: insert a block, or remove the edge. Never on the line, where a click selects: a
 * button that appears under the pointer would be pressed by accident. Hidden while something is dragged over it.
 */
export function EdgeButtons({ edge, x, y }: { edge: EdgeView; x: number; y: number }) {
  const { document, store } = useEditor()
  const { t } = useTranslation('builder')
  const busy = useCanvasState(({ drag, moving, connecting }) => drag !== null || moving.size > 0 || connecting)
  if (busy) return null
  return (
    <EdgeLabelRenderer>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only keeps the edge marked under the pointer */}
      <div
        className={`${styles.buttons} nodrag nopan`}
        style={{ transform: `translate(-50%, -100%) translate(${x}px, ${y - BESIDE}px)` }}
        onMouseEnter={() => hoverEdge(store, edge.id)}
        onMouseLeave={() => hoverEdge(store, null)}
      >
        <button
          type="button"
          className={styles.button}
          aria-label={t('canvas.insertOnEdge')}
          title={t('canvas.insertOnEdge')}
          onClick={(event) => {
            const { right, top } = event.currentTarget.getBoundingClientRect()
            store.setState({ picker: { at: { x: right + 8, y: top }, flow: null, from: edge.from, edge: edge.id } })
          }}
        >
          <Plus size={13} strokeWidth={2.4} />
        </button>
        <button
          type="button"
          className={styles.button}
          data-danger
          aria-label={t('canvas.removeEdge')}
          title={t('canvas.removeEdge')}
          onClick={() => {
            document.commands.disconnect([edge.from])
            store.setState({ hoveredEdge: null })
          }}
        >
          <X size={12} strokeWidth={2.4} />
        </button>
      </div>
    </EdgeLabelRenderer>
  )
}
