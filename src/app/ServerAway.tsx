import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { serverWatch } from '../api/serverWatch'
import { Button } from '../ui/Button'
import styles from './ServerAway.module.css'

/** Shows that the server is unavailable, over every screen; disappears when it is back. */
export function ServerAway() {
  const { t } = useTranslation()
  const { away, asking, nextAt } = useStore(serverWatch.store)
  useReturns()
  return (
    <section className={styles.place} aria-label={away ? t('away.label') : undefined}>
      {/* the announced text does not change with the seconds */}
      <div role="status" className={styles.status}>
        {away && (
          <span className={styles.text}>
            <CloudOff size={15} aria-hidden />
            {t('away.text')}
          </span>
        )}
      </div>
      {away && (
        <>
          <span className={styles.next}>
            {asking || nextAt === null ? t('away.asking') : <Seconds until={nextAt} />}
          </span>
          <Button size="s" loading={asking} onClick={serverWatch.tryNow}>
            {t('away.retry')}
          </Button>
        </>
      )}
    </section>
  )
}

function Seconds({ until }: { until: number }) {
  const { t } = useTranslation()
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return t('away.next', { count: Math.max(1, Math.ceil((until - now) / 1000)) })
}

/** Polls at once when the user returns to the page. */
function useReturns() {
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && serverWatch.store.getState().away) serverWatch.tryNow()
    }
    const events = ['online', 'focus'] as const
    for (const event of events) window.addEventListener(event, look)
    document.addEventListener('visibilitychange', look)
    return () => {
      for (const event of events) window.removeEventListener(event, look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
}
