import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'

interface BareDialogProps {
  /** the accessible name, as there is no visible title */
  label: string
  width?: number
  onClose: () => void
  children: ReactNode
}

/** A dialog without title bar and animation, such as for a search. */
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
