import { useQuery } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { deviceOf } from '../../../server/contracts/device'
import type { Session } from '../../../server/contracts/profile'
import { failureText } from '../../api/failure'
import { sessionsQuery, useProfileChanges } from '../../api/profile'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import styles from './account.module.css'

/** The account's sessions, each with a logout button. */
export function SessionsCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const { endOthers } = useProfileChanges()
  const endAll = () =>
    endOthers.mutate(undefined, {
      onSuccess: ({ ended }) => notify.success(t('sessions.endedOthers', { count: ended })),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Card
      title={t('sessions.title')}
      description={t('sessions.description')}
      flush
      actions={
        sessions &&
        sessions.length > 1 && (
          <Button size="s" loading={endOthers.isPending} onClick={endAll}>
            {t('sessions.endOthers')}
          </Button>
        )
      }
    >
      {sessions ? (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <SessionRow key={session.id} session={session} />
          ))}
        </ul>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <div className={styles.waiting}>
          <LoadingState rows={2} />
        </div>
      )}
    </Card>
  )
}

function SessionRow({ session }: { session: Session }) {
  const { id, user_agent, address, network, created_at, seen_at, current } = session
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { end } = useProfileChanges()
  const { browser, system, small } = deviceOf(user_agent)
  const name =
    browser && system ? t('sessions.device', { browser, system }) : browser || system || t('sessions.unknown')
  const Icon = small ? Smartphone : Monitor
  const last = seen_at ?? created_at
  const place =
    network === 'unknown' ? address : t('sessions.place', { address, network: t(`sessions.networks.${network}`) })
  return (
    <li className={styles.session}>
      <Icon size={16} aria-hidden />
      <span className={styles.words}>
        <span className={styles.device}>
          {name} {current && <Badge tone="accent">{t('sessions.current')}</Badge>}
        </span>
        <span className={styles.seen} title={formatMoment(last)}>
          {t(address === '' ? 'sessions.seen' : 'sessions.seenFrom', { since: formatSince(last), address: place })}
        </span>
      </span>
      {!current && (
        <Button
          size="s"
          loading={end.isPending}
          aria-label={t('sessions.endOne', { name })}
          onClick={() =>
            end.mutate(id, {
              onSuccess: () => notify.success(t('sessions.ended')),
              onError: (error) => notify.error(failureText(error, common('errors.message'))),
            })
          }
        >
          {t('sessions.end')}
        </Button>
      )}
    </li>
  )
}
