import { useEffect, useRef } from 'react'
import { useBlocker } from 'react-router'
import { ConfirmDialog } from './ConfirmDialog'

export interface LeaveGuardProps {
  /** whether something would be lost, asked at the moment of leaving */
  isUnsaved: () => boolean
  title: string
  message: string
  /** what the button says that leaves */
  confirm: string
}

/**
 * Asks before one leaves for another page while something would be lost; the browser asks itself when its window is
 * closed.
 */
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
