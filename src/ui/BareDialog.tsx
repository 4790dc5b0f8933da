import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface BareDialogProps {
  /** names it: it shows no title */
  label: string
  width?: number
  onClose: () => void
  children: ReactNode
}

/** A dialog without a title bar that comes and goes at once: what it holds is all there is, such as a search. */
export function BareDialog({ label, width = 640, onClose, children }: BareDialogProps) {
  return (
    <Modal.Root
      opened
      onClose={onClose}
      size={width}
      yOffset="12vh"
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay backgroundOpacity={1} color="var(--p-overlay)" />
      <Modal.Content aria-label={label}>{children}</Modal.Content>
    </Modal.Root>
  )
}
