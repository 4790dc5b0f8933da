import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { serverWatch } from '../api/serverWatch'
import { Button } from '../ui/Button'
import styles from './ServerAway.module.css'

/** The one place that says that the server can't be reached, over every screen; it goes by itself when the server is back. */
export function ServerAway() {
  const { t } = useTranslation()
  const { away, asking, nextAt } = useStore(serverWatch.store)
  useReturns()
  return (
    <section className={styles.place} aria-label={away ? t('away.label') : undefined}>
      {/* what is announced stays the same while the seconds run */}
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

/** Who comes back to the page does not wait for the next try. */
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
