import { Skeleton } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './states.module.css'

const SHOWN_AFTER_MS = 200

/** Placeholders in the shape of the content; invisible for the first 200 ms, so that fast responses don't flicker. */
export function LoadingState({
  rows = 4,
  height = 44,
  children,
}: {
  rows?: number
  height?: number
  children?: ReactNode
}) {
  const { t } = useTranslation()
  const shown = useLate()
  return (
    <div className={styles.loading} role="status" aria-busy aria-label={t('screens.loading')}>
      {shown &&
        (children ??
          Array.from({ length: rows }, (_, row) => row).map((row) => (
            <Skeleton key={row} height={height} radius="sm" />
          )))}
    </div>
  )
}

function useLate(): boolean {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), SHOWN_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return late
}
