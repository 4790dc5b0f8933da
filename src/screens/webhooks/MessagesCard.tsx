import { useInfiniteQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebhookMessage } from '../../../server/contracts/webhooks'
import { failureText } from '../../api/failure'
import { type MessageFilter, webhookMessagesQuery } from '../../api/webhooks'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Segmented } from '../../ui/Segmented'
import { eventName } from './eventName'
import { MessageDialog } from './MessageDialog'
import { ReplayDialog } from './ReplayDialog'
import styles from './webhooks.module.css'

const filters: readonly MessageFilter[] = ['all', 'failed', 'pending']
const tones: Record<WebhookMessage['status'], BadgeTone> = { delivered: 'success', failed: 'danger', pending: 'accent' }

/** What was sent to an endpoint, newest first; each can be looked at and sent again. */
export function MessagesCard({ pgid, gid, maySend }: { pgid: string; gid: string; maySend: boolean }) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const [filter, setFilter] = useState<MessageFilter>('all')
  const [opened, setOpened] = useState<string | null>(null)
  const [replaying, setReplaying] = useState(false)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    webhookMessagesQuery(pgid, gid, filter),
  )
  const messages = data?.pages.flatMap((page) => page.messages)
  return (
    <Card
      title={t('log.title')}
      description={t('log.description')}
      actions={maySend && <Button onClick={() => setReplaying(true)}>{t('replay.open')}</Button>}
      flush
    >
      <div className={styles.filter}>
        <Segmented
          label={t('log.filter')}
          value={filter}
          options={filters.map((value) => ({ value, label: t(`log.filters.${value}`) }))}
          onChange={setFilter}
        />
      </div>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !messages ? (
        <LoadingState rows={3} height={52} />
      ) : messages.length === 0 ? (
        <EmptyState icon={<Send />} title={t('log.emptyTitle')} message={t('log.emptyMessage')} />
      ) : (
        <ul className={styles.rows} aria-label={t('log.title')}>
          {messages.map((message) => (
            <Row key={message.gid} message={message} onOpen={() => setOpened(message.gid)} />
          ))}
        </ul>
      )}
      {hasNextPage && (
        <div className={styles.more}>
          <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('log.more')}
          </Button>
        </div>
      )}
      {opened !== null && (
        <MessageDialog pgid={pgid} gid={gid} message={opened} maySend={maySend} onClose={() => setOpened(null)} />
      )}
      {replaying && <ReplayDialog pgid={pgid} gid={gid} onClose={() => setReplaying(false)} />}
    </Card>
  )
}

function Row({ message, onOpen }: { message: WebhookMessage; onOpen: () => void }) {
  const { t } = useTranslation('webhooks')
  const { type, test, status, attempts, next_at, last, created_at } = message
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <button type="button" className={styles.open} aria-haspopup="dialog" onClick={onOpen}>
          {t(eventName(type))}
        </button>
        <span className={styles.note}>
          {t('log.attempts', { count: attempts })}
          {next_at !== null && ` · ${t('log.next', { when: formatMoment(next_at) })}`}
        </span>
        {status !== 'delivered' && last?.error && <span className={styles.alert}>{last.error}</span>}
      </div>
      <span className={styles.badges}>
        {test && <Badge tone="warning">{t('log.test')}</Badge>}
        <Badge tone={tones[status]} dot>
          {t(`log.status.${status}`)}
        </Badge>
      </span>
      <time className={styles.since} dateTime={created_at} title={formatMoment(created_at)}>
        {formatSince(created_at)}
      </time>
    </li>
  )
}
