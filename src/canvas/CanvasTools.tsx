import { Hand, Maximize, Minus, MousePointer2, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { useView, useZoom } from './adapter'
import styles from './CanvasTools.module.css'
import { useCanvasState, useEditor } from './context'

/** Select or move, zoom, fit: at the bottom of the canvas. */
export function CanvasTools() {
  const { store } = useEditor()
  const { t } = useTranslation('builder')
  const view = useView()
  const tool = useCanvasState((state) => state.tool)
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools.label')}>
      <IconButton
        className={styles.pointer}
        label={t('tools.select')}
        keys={<KeyHint keys={['V']} />}
        tooltipPosition="top"
        icon={<MousePointer2 size={15} />}
        active={tool === 'select'}
        onClick={() => store.setState({ tool: 'select' })}
      />
      <IconButton
        className={styles.pointer}
        label={t('tools.hand')}
        keys={<KeyHint keys={['H']} />}
        tooltipPosition="top"
        icon={<Hand size={15} />}
        active={tool === 'hand'}
        onClick={() => store.setState({ tool: 'hand' })}
      />
      <span className={styles.rule} aria-hidden />
      <IconButton label={t('tools.zoomOut')} tooltipPosition="top" icon={<Minus size={15} />} onClick={view.zoomOut} />
      <ZoomLevel />
      <IconButton label={t('tools.zoomIn')} tooltipPosition="top" icon={<Plus size={15} />} onClick={view.zoomIn} />
      <IconButton
        label={t('tools.fit')}
        keys={<KeyHint keys={['Shift', '1']} />}
        tooltipPosition="top"
        icon={<Maximize size={15} />}
        onClick={view.fit}
      />
    </div>
  )
}

function ZoomLevel() {
  const { t } = useTranslation('builder')
  const percent = Math.round(useZoom() * 100)
  const view = useView()
  return (
    <button
      type="button"
      className={styles.zoom}
      aria-label={t('tools.actualSize', { percent })}
      onClick={() => view.zoomTo(1)}
    >
      {percent}%
    </button>
  )
}
