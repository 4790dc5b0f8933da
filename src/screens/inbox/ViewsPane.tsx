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
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxSetup, type InboxView, inboxViews } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { inboxCountsQuery } from '../../api/inbox'
import { IconButton } from '../../ui/IconButton'
import { AwaySwitch } from './AwaySwitch'
import { Count } from './Count'
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
  const pane = useRef<HTMLElement>(null)
  const current = kept?.gid ?? view
  const isCounted = counts !== undefined
  // on a phone the views are a strip: the one that is chosen is in sight, also once counts have made the others wider
  useEffect(() => {
    if (!isCounted || current === 'all') return
    pane.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current, isCounted])
  return (
    <nav ref={pane} className={styles.views} aria-label={t('views.label')}>
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
                <Count count={counts?.counts[one] ?? 0} />
              </button>
            </li>
          )
        })}
        <KeptViews setup={setup} counts={counts?.kept} />
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
                  <Count count={counts?.teams[gid] ?? 0} />
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
