import { Zap } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useStore } from 'zustand'
import { useCan } from '../api/account'
import { Button } from '../ui/Button'
import { IconButton } from '../ui/IconButton'
import type { Debugger } from './debugger'
import css from './PreviewPane.module.css'

/** A switch for carrying out the test's changes from now on. Hidden without permission; the server checks as well. */
export function ActForReal({ bug }: { bug: Debugger }) {
  const { t } = useTranslation('testEffects')
  const may = useCan('builder.update')
  const on = useStore(bug.store, ({ debug }) => debug?.carries_out ?? false)
  const ready = useStore(bug.store, ({ debug, busy, lookingAt }) => debug !== null && !busy && lookingAt === null)
  if (!may) return null
  return (
    <IconButton
      size="s"
      label={t('switch')}
      icon={<Zap size={15} />}
      active={on}
      disabled={!ready}
      onClick={() => void bug.switchActing(!on)}
    />
  )
}

/** A notice while it is on. */
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
