import { Modal as LibraryModal, type ModalProps } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import overlays from './overlays.module.css'

/** A dialog with a title. Put a `ModalActions` at its end. */
export function Modal({ children, ...props }: ModalProps) {
  const { t } = useTranslation()
  return (
    <LibraryModal closeButtonProps={{ 'aria-label': t('actions.close') }} {...props}>
      {children}
    </LibraryModal>
  )
}

/** What a dialog says, in the muted colour. */
export const ModalText = ({ children }: { children: ReactNode }) => <p className={overlays.modalText}>{children}</p>

/** The row of buttons at a dialog's end: the way out first, the deed last. */
export const ModalActions = ({ children }: { children: ReactNode }) => (
  <div className={overlays.modalActions}>{children}</div>
)
