import type { CSSProperties, KeyboardEvent, PointerEvent, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { create } from 'zustand'
import styles from './SidePanel.module.css'

const KEY = 'parley-panel-width'
const NARROWEST = 280
const WIDEST = 600
const USUAL = 360

interface SidePanelProps {
  label: string
  /** if two panels do not fit side by side, the other one is shown */
  behind?: boolean
  /** by which the tour finds it */
  tour?: string
  children: ReactNode
}

/** A resizable panel at the right edge, at most 600 px wide; a bottom sheet on a small screen. */
export function SidePanel({ label, behind = false, tour, children }: SidePanelProps) {
  const { t } = useTranslation('builder')
  const width = useWidth((state) => state.width)
  const setWidth = (next: number) => useWidth.setState({ width: clamp(next) })
  const keep = (next: number) => {
    setWidth(next)
    localStorage.setItem(KEY, String(clamp(next)))
  }
  const grab = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    const start = event.clientX
    const bar = event.currentTarget
    bar.setPointerCapture(event.pointerId)
    const move = (moved: globalThis.PointerEvent) => setWidth(width + start - moved.clientX)
    const up = (last: globalThis.PointerEvent) => {
      bar.removeEventListener('pointermove', move)
      bar.removeEventListener('pointerup', up)
      keep(width + start - last.clientX)
    }
    bar.addEventListener('pointermove', move)
    bar.addEventListener('pointerup', up)
  }
  const nudge = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowLeft' ? 16 : event.key === 'ArrowRight' ? -16 : 0
    if (by === 0) return
    event.preventDefault()
    keep(width + by)
  }
  return (
    <aside
      className={styles.panel}
      aria-label={label}
      data-sheet
      data-tour={tour}
      data-behind={behind || undefined}
      style={{ '--panel-width': `${width}px` } as CSSProperties}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no hr */}
      <div
        className={styles.bar}
        role="separator"
        aria-orientation="vertical"
        aria-label={t('panel.resize')}
        aria-valuenow={width}
        aria-valuemin={NARROWEST}
        aria-valuemax={WIDEST}
        tabIndex={0}
        onPointerDown={grab}
        onKeyDown={nudge}
      />
      {children}
    </aside>
  )
}

const clamp = (width: number): number => Math.round(Math.min(WIDEST, Math.max(NARROWEST, width)))

/** All panels share one width, so that the canvas keeps its size when they alternate. */
const useWidth = create(() => ({ width: clamp(Number(localStorage.getItem(KEY)) || USUAL) }))
