import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { ActSwitch } from '../testEffects/ActSwitch'
import { Button } from '../ui/Button'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'

/** Switches whether the test acts for real from here on. */
export function ActForReal({ bug }: { bug: Debugger }) {
  const on = useStore(bug.store, ({ debug }) => debug?.carries_out ?? false)
  const ready = useStore(bug.store, ({ debug, busy, lookingAt }) => debug !== null && !busy && lookingAt === null)
  return <ActSwitch on={on} disabled={!ready} onChange={(next) => void bug.switchActing(next)} />
}

/** Says so while it does. */
export function ActNotice({ bug }: { bug: Debugger }) {
  const { t } = useTranslation('testEffects')
  const on = useStore(bug.store, ({ debug }) => debug?.carries_out ?? false)
  if (!on) return null
  return (
    <p className={css.paused} role="status">
      <span>{t('on')}</span>
      <Button size="s" design="bordered" onClick={bug.restartActing}>
        {t('restartOn')}
      </Button>
    </p>
  )
}
