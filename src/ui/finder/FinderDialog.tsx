import { useEffect, useRef } from 'react'
import { BareDialog } from '../BareDialog'
import { Finder, type FinderProps } from './Finder'
import styles from './FinderDialog.module.css'

interface FinderDialogProps extends FinderProps {
  onClose: () => void
}

/** A finder in a dialog; the previous focus is restored before the choice is carried out. */
export function FinderDialog({ onClose, sections, ...finder }: FinderDialogProps) {
  const before = useRef<Element | null>(document.activeElement)
  useEffect(
    () => () => {
      const { current } = before
      if (current instanceof HTMLElement && current.isConnected) current.focus({ preventScroll: true })
    },
    [],
  )
  return (
    <BareDialog label={finder.label} onClose={onClose}>
      <div className={styles.content}>
        <Finder
          {...finder}
          sections={sections.map((section) => ({
            ...section,
            rows: section.rows.map((row) => ({
              ...row,
              onChoose: () => {
                if (row.keepsOpen) return row.onChoose()
                onClose()
                // after the dialog has closed: it would take keys and focus otherwise
                requestAnimationFrame(row.onChoose)
              },
            })),
          }))}
        />
      </div>
    </BareDialog>
  )
}
