import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog'

export interface LeaveGuardProps {
  /** whether leaving would lose something; called on leaving */
  isUnsaved: () => boolean
  title: string
  message: string
  /** the label of the button that leaves */
  confirm: string
}

/** Asks before navigating away from unsaved changes; the browser asks when its window is closed. */
export function LeaveGuard({ isUnsaved, title, message, confirm }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && isUnsaved(),
  )
  const latest = useRef(isUnsaved)
  latest.current = isUnsaved
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (latest.current()) event.preventDefault()
    }
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [])
  return (
    <ConfirmDialog
      opened={blocker.state === 'blocked'}
      danger
      title={title}
      message={message}
      confirm={confirm}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    />
  )
}
