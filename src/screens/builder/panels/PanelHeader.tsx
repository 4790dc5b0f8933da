import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/IconButton'
import styles from './PanelHeader.module.css'

interface PanelHeaderProps {
  title: string
  close: string
  onClose: () => void
  /** buttons before the close button */
  actions?: ReactNode
  /** below: fields for searching or filtering */
  children?: ReactNode
}

/** The header of a panel beside the canvas: title, actions, and the close button. */
export function PanelHeader({ title, close, onClose, actions, children }: PanelHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.titleRow}>
        <h2>{title}</h2>
        {actions}
        <IconButton size="s" label={close} icon={<X size={15} />} onClick={onClose} />
      </div>
      {children}
    </header>
  )
}
