import { notifications } from '@mantine/notifications'
import i18next from 'i18next'
import { CircleAlert, CircleCheck, Info } from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './notify.module.css'

type Tone = 'error' | 'success' | 'neutral'
const icons: Record<Tone, ReactNode> = {
  error: <CircleAlert size={16} />,
  success: <CircleCheck size={16} />,
  neutral: <Info size={16} />,
}

/** A notification at the bottom right for 8 seconds (SPEC.md 4). The same message replaces itself. */
function show(tone: Tone, message: string) {
  const id = `${tone}:${message}`
  notifications.hide(id)
  notifications.show({ id, message, ...look(tone) })
}

function look(tone: Tone) {
  return {
    icon: icons[tone],
    withBorder: false,
    closeButtonProps: { 'aria-label': i18next.t('actions.close') },
    classNames: {
      root: styles.notice,
      icon: styles[tone],
      body: styles.body,
      description: styles.message,
      closeButton: styles.close,
    },
  }
}

export const notify = {
  error: (message: string) => show('error', message),
  success: (message: string) => show('success', message),
  neutral: (message: string) => show('neutral', message),
  /** with something to press, such as to undo it */
  withAction: (message: ReactNode) => void notifications.show({ message, ...look('neutral') }),
  /** stays until closed: for unrequested messages that everybody should read */
  kept: (message: ReactNode) => void notifications.show({ message, autoClose: false, ...look('neutral') }),
}
