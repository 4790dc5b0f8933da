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

/** A dialog's text, in the muted colour. */
export const ModalText = ({ children }: { children: ReactNode }) => <p className={overlays.modalText}>{children}</p>

/** The buttons at a dialog's end: cancel first, the action last. */
export const ModalActions = ({ children }: { children: ReactNode }) => (
  <div className={overlays.modalActions}>{children}</div>
)
