import { Hand, Maximize, Minus, Mouse, MousePointer2, Plus, ScanSearch, Touchpad } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../ui/IconButton'
import { KeyHint } from '../ui/KeyHint'
import { type Action, useProvideActions } from './actionRegistry'
import { useView, useZoom, type View } from './adapter'
import styles from './CanvasTools.module.css'
import { setWheelMode } from './canvasStore'
import { type Editor, useCanvasState, useEditor } from './context'
import { keyCaps } from './keyboard/chord'

/** Select or move, zoom, fit: at the bottom of the canvas. @param more tools of other parts of the builder */
export function CanvasTools({ more }: { more: ReactNode }) {
  const editor = useEditor()
  const { store } = editor
  const { t } = useTranslation('builder')
  const view = useView()
  const tool = useCanvasState((state) => state.tool)
  const wheel = useCanvasState((state) => state.wheel)
  useProvideActions(useMemo(() => viewActions(editor, view), [editor, view]))
  return (
    <div className={styles.tools} role="toolbar" aria-label={t('tools.label')}>
      <IconButton
        className={styles.pointer}
        label={t('tools.select')}
        keys={<KeyHint keys={keyCaps('v')} />}
        tooltipPosition="top"
        icon={<MousePointer2 size={15} />}
        active={tool === 'select'}
        onClick={() => store.setState({ tool: 'select' })}
      />
      <IconButton
        className={styles.pointer}
        label={t('tools.hand')}
        keys={<KeyHint keys={keyCaps('h')} />}
        tooltipPosition="top"
        icon={<Hand size={15} />}
        active={tool === 'hand'}
        onClick={() => store.setState({ tool: 'hand' })}
      />
      <IconButton
        className={styles.pointer}
        label={t(wheel === 'mouse' ? 'tools.mouse' : 'tools.trackpad')}
        tooltipPosition="top"
        icon={wheel === 'mouse' ? <Mouse size={15} /> : <Touchpad size={15} />}
        onClick={() => setWheelMode(store, wheel === 'mouse' ? 'trackpad' : 'mouse')}
      />
      {more}
      <span className={styles.rule} aria-hidden />
      <IconButton label={t('tools.zoomOut')} tooltipPosition="top" icon={<Minus size={15} />} onClick={view.zoomOut} />
      <ZoomLevel />
      <IconButton label={t('tools.zoomIn')} tooltipPosition="top" icon={<Plus size={15} />} onClick={view.zoomIn} />
      <IconButton
        label={t('tools.fit')}
        keys={<KeyHint keys={keyCaps('shift+1')} />}
        tooltipPosition="top"
        icon={<Maximize size={15} />}
        onClick={view.fit}
      />
    </div>
  )
}

function viewActions({ document, store }: Editor, view: View): Action[] {
  const chosen = (): ReadonlySet<string> => {
    const { groups, blocks } = store.getState().selection
    const around = [...blocks].flatMap((id) => document.projection().blocks.get(id)?.groupId ?? [])
    return new Set([...groups, ...around])
  }
  const section = { section: 'view', writes: false } as const
  return [
    {
      ...section,
      id: 'fitSelection',
      keys: ['shift+2'],
      icon: ScanSearch,
      enabled: () => chosen().size > 0,
      needs: 'selection',
      run: () => view.fitGroups(chosen()),
    },
    {
      ...section,
      id: 'wheelZooms',
      icon: Mouse,
      enabled: () => store.getState().wheel === 'trackpad',
      run: () => setWheelMode(store, 'mouse'),
    },
    {
      ...section,
      id: 'wheelPans',
      icon: Touchpad,
      enabled: () => store.getState().wheel === 'mouse',
      run: () => setWheelMode(store, 'trackpad'),
    },
  ]
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
