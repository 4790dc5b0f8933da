import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Broadcast } from '../../../../server/contracts/whatsappBroadcasts'
import { useCan } from '../../../api/account'
import { failureText } from '../../../api/failure'
import type { ChatbotPlace } from '../../../api/whatsapp'
import { broadcastFailuresQuery, useBroadcastChanges } from '../../../api/whatsappBroadcasts'
import { formatSince } from '../../../i18n/format'
import { Badge, type BadgeTone } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { notify } from '../../../ui/notify'
import styles from './broadcasts.module.css'
import { Estimate } from './Estimate'
import { Skipped } from './Skipped'

const TONES: Readonly<Record<Broadcast['status'], BadgeTone>> = {
  ...{ running: 'accent', stopped: 'warning', done: 'success' },
}
const STATES = ['waiting', 'sending', 'sent', 'delivered', 'read', 'failed'] as const

/** How far a broadcast has come, and who gets it no more. */
export function BroadcastRow({ place, broadcast }: { place: ChatbotPlace; broadcast: Broadcast }) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const maySend = useCan('whatsapp.broadcast')
  const { stop, resume } = useBroadcastChanges(place)
  const [open, setOpen] = useState(false)
  const { gid, name, segment, template, status, people, skipped } = broadcast
  const all = STATES.reduce((sum, state) => sum + people[state], 0)
  const over = all - people.waiting
  const turn = status === 'running' ? stop : resume
  return (
    <li className={styles.row}>
      <div className={styles.head}>
        <strong className={styles.name}>{name}</strong>
        <Badge tone={TONES[status]} dot>
          {t(`broadcasts.status.${status}`)}
        </Badge>
        {maySend && status !== 'done' && (
          <Button
            size="s"
            loading={turn.isPending}
            aria-label={t(status === 'running' ? 'broadcasts.stopOf' : 'broadcasts.resumeOf', { name })}
            onClick={() =>
              turn.mutate(gid, { onError: (error) => notify.error(failureText(error, common('errors.message'))) })
            }
          >
            {t(status === 'running' ? 'broadcasts.stop' : 'broadcasts.resume')}
          </Button>
        )}
      </div>
      <p className={styles.soft}>
        {t('broadcasts.about', {
          segment: segment || t('broadcast.everybody'),
          template: `${template.name} (${template.language})`,
          when: formatSince(broadcast.created_at),
        })}
      </p>
      <progress className={styles.progress} max={all} value={over} aria-label={t('broadcasts.progress', { name })} />
      <dl className={styles.counts}>
        {STATES.map((state) => (
          <div key={state}>
            <dt>{t(`broadcasts.people.${state}`)}</dt>
            <dd>{people[state].toLocaleString()}</dd>
          </div>
        ))}
      </dl>
      <Skipped counts={skipped} />
      <Estimate count={all} price={broadcast.price} currency={broadcast.currency} />
      {maySend && people.failed > 0 && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{t('broadcasts.failures')}</summary>
          {open && <Failures place={place} broadcast={gid} />}
        </details>
      )}
    </li>
  )
}

function Failures({ place, broadcast }: { place: ChatbotPlace; broadcast: string }) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(broadcastFailuresQuery(place, broadcast))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={1} height={40} />
  return (
    <ul className={styles.people}>
      {data.map(({ contact, name, number, reason }) => (
        <li key={contact}>
          <span className={styles.name}>{name || number || t('broadcast.unknown')}</span>{' '}
          <span className={styles.soft}>{reason}</span>
        </li>
      ))}
    </ul>
  )
}
