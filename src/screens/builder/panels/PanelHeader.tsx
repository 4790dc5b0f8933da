import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../../ui/IconButton'
import styles from './PanelHeader.module.css'

interface PanelHeaderProps {
  title: string
  close: string
  onClose: () => void
  /** buttons between the title and the one that closes */
  actions?: ReactNode
  /** what stands below: fields that search or filter */
  children?: ReactNode
}

/** The head of a panel beside the canvas: what it is, what can be done with all of it, and the way out. */
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
