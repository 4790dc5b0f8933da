import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Overview } from '../../../server/contracts/admin'
import { overviewQuery } from '../../api/admin'
import { formatBytes, formatMoment, formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { SettingsStack } from '../../ui/SettingsStack'
import { AnnouncementCard } from './AnnouncementCard'
import styles from './admin.module.css'
import { CspReportsCard } from './CspReportsCard'
import { Loaded } from './Loaded'

/** How the installation is, and what it tells everybody. */
export function OverviewTab() {
  const { t } = useTranslation('admin')
  return (
    <SettingsStack>
      <Card title={t('overview.title')}>
        <Loaded query={useQuery(overviewQuery)}>{(overview) => <Facts overview={overview} />}</Loaded>
        <a href="/licences.html" target="_blank" rel="noreferrer">
          {t('overview.licences')}
        </a>
      </Card>
      <AnnouncementCard />
      <CspReportsCard />
    </SettingsStack>
  )
}

type Fact = [name: string, value: string, isBad?: boolean]

function Facts({ overview: { jobs, events, ...overview } }: { overview: Overview }) {
  const { t } = useTranslation('admin')
  const minutes = Math.floor(overview.uptime / 60)
  const newestWords = ({ version, asked_at, is_later }: NonNullable<Overview['newest']>) =>
    t(is_later ? 'overview.newestLater' : 'overview.newestSame', { version, when: formatMoment(asked_at) })
  const seconds = (count: number) => t('overview.seconds', { count: Math.round(count) })
  const newest: Fact[] = overview.newest
    ? [[t('overview.newest'), newestWords(overview.newest), overview.newest.is_later]]
    : []
  const facts: Fact[] = [
    [t('overview.version'), overview.version],
    ...newest,
    [t('overview.uptime'), t('overview.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })],
    [t('overview.memory'), formatBytes(overview.memory)],
    [t('overview.database'), formatBytes(overview.database_bytes)],
    [t('overview.projects'), formatNumber(overview.projects)],
    [t('overview.people'), formatNumber(overview.people)],
    [t('overview.credits'), formatNumber(overview.credits_used)],
    [t('overview.due'), formatNumber(jobs.due)],
    [t('overview.running'), formatNumber(jobs.running)],
    [t('overview.waiting'), formatNumber(jobs.waiting)],
    [t('overview.oldest'), seconds(overview.oldest_due)],
    [t('overview.givenUp'), formatNumber(jobs.given_up), jobs.given_up > 0],
    [t('overview.eventsGivenUp'), formatNumber(events.given_up), events.given_up > 0],
    [t('overview.behind'), seconds(overview.events_behind)],
  ]
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value, isBad]) => (
        <div key={name} data-bad={isBad || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
