import { useQuery } from '@tanstack/react-query'
import {
  AlarmClock,
  AtSign,
  Bot,
  CircleCheck,
  Clock,
  Hourglass,
  Inbox,
  Settings2,
  UserRound,
  UserRoundX,
} from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxSetup, type InboxView, inboxViews, MOST_COUNTED } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { inboxCountsQuery } from '../../api/inbox'
import { formatNumber } from '../../i18n/format'
import { IconButton } from '../../ui/IconButton'
import { AwaySwitch } from './AwaySwitch'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { KeptViews, useShownView } from './KeptViews'
import { LabelDot } from './LabelDot'
import { SetupDialog } from './SetupDialog'

const icons = {
  mine: UserRound,
  unassigned: UserRoundX,
  waiting: Hourglass,
  mentions: AtSign,
  bot: Bot,
  all: Inbox,
  due: AlarmClock,
  snoozed: Clock,
  closed: CircleCheck,
} as const satisfies Record<InboxView, unknown>

/** The views with their counts, and below them teams and labels. */
export function ViewsPane({ setup }: { setup: InboxSetup | undefined }) {
  const { t } = useTranslation('inbox')
  const place = useInboxPlace()
  const { pgid, cgid, view, filters } = place
  const { data: counts } = useQuery(inboxCountsQuery(pgid, cgid))
  const kept = useShownView()
  const [settingUp, setSettingUp] = useState(false)
  const mayChange = useCan('conversations.update')
  const offices = setup ? [setup.office, ...setup.teams.map(({ office }) => office)] : []
  const hasTargets = offices.some(
    (office) => office.first_answer_minutes !== null || office.resolution_minutes !== null,
  )
  return (
    <nav className={styles.views} aria-label={t('views.label')}>
      <header className={styles.viewsHead}>
        <span className={styles.title}>{t('title')}</span>
        {mayChange && setup && (
          <IconButton
            size="s"
            label={t('setup.open')}
            icon={<Settings2 size={15} />}
            onClick={() => setSettingUp(true)}
          />
        )}
      </header>
      <ul>
        {inboxViews.map((one) => {
          if (one === 'due' && view !== 'due' && !hasTargets) return null
          const Icon = icons[one]
          const count = counts?.[one] ?? 0
          return (
            <li key={one}>
              <button
                type="button"
                className={styles.view}
                aria-current={one === view && !kept ? 'page' : undefined}
                onClick={() => place.show(one)}
              >
                <Icon size={15} aria-hidden />
                <span className={styles.viewName}>{t(`views.${one}`)}</span>
                {count > 0 && (
                  <span className={styles.count}>
                    {count > MOST_COUNTED ? `${formatNumber(MOST_COUNTED)}+` : formatNumber(count)}
                  </span>
                )}
              </button>
            </li>
          )
        })}
        <KeptViews />
      </ul>
      {setup && setup.teams.length > 0 && (
        <section className={styles.viewGroup} aria-label={t('teams')}>
          <h2>{t('teams')}</h2>
          <ul>
            {setup.teams.map(({ gid, name }) => (
              <li key={gid}>
                <button
                  type="button"
                  className={styles.view}
                  aria-pressed={filters.team === gid}
                  onClick={() => place.filter({ team: filters.team === gid ? undefined : gid })}
                >
                  <span className={styles.viewName}>{name}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {setup && setup.labels.length > 0 && (
        <section className={styles.viewGroup} aria-label={t('labels')}>
          <h2>{t('labels')}</h2>
          <ul>
            {setup.labels.map(({ gid, name, colour }) => (
              <li key={gid}>
                <button
                  type="button"
                  className={styles.view}
                  aria-pressed={filters.label === gid}
                  onClick={() => place.filter({ label: filters.label === gid ? undefined : gid })}
                >
                  <LabelDot colour={colour} />
                  <span className={styles.viewName}>{name}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      )}
      {setup && <AwaySwitch setup={setup} />}
      {settingUp && setup && <SetupDialog setup={setup} onClose={() => setSettingUp(false)} />}
    </nav>
  )
}
