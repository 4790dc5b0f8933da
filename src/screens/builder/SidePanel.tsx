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
  /** where two panels do not fit beside each other, the other one is shown */
  behind?: boolean
  children: ReactNode
}

/** A panel at the right edge that can be made up to 600 px wide; a sheet from below on a small screen. */
export function SidePanel({ label, behind = false, children }: SidePanelProps) {
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

/** All panels have one width, so that the canvas beside them keeps its size when one takes the place of another. */
const useWidth = create(() => ({ width: clamp(Number(localStorage.getItem(KEY)) || USUAL) }))
