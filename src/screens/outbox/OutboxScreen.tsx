import { useInfiniteQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { MailEntry } from '../../../server/contracts/mails'
import { failureText } from '../../api/failure'
import { mailsQuery } from '../../api/mails'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { MailDialog } from './MailDialog'
import { MailStatus } from './MailStatus'
import styles from './outbox.module.css'

/** All mails that the project's flows have sent, or would have with a mail server. */
export function OutboxScreen() {
  const { t } = useTranslation('outbox')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const [opened, setOpened] = useState<MailEntry | null>(null)
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(mailsQuery(pgid))
  const sender = data?.pages[0]?.mail_from ?? null
  const mails = data?.pages.flatMap((page) => page.mails)
  return (
    <>
      <PageHeader
        title={t('title')}
        description={data && (sender === null ? t('noServer') : t('sentFrom', { sender }))}
        actions={data && <Button onClick={() => void refetch()}>{t('refresh')}</Button>}
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !mails ? (
        <LoadingState rows={4} height={60} />
      ) : mails.length === 0 ? (
        <EmptyState icon={<Mail />} title={t('emptyTitle')} message={t('emptyMessage')} />
      ) : (
        <div className={styles.list}>
          <Card flush>
            <ul className={styles.rows}>
              {mails.map((mail) => (
                <Row key={mail.gid} mail={mail} onOpen={() => setOpened(mail)} />
              ))}
            </ul>
          </Card>
          {hasNextPage && (
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </div>
      )}
      {opened && <MailDialog pgid={pgid} mail={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function Row({ mail, onOpen }: { mail: MailEntry; onOpen: () => void }) {
  const { t } = useTranslation('outbox')
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <button type="button" className={styles.subject} aria-haspopup="dialog" onClick={onOpen}>
          {mail.subject || t('noSubject')}
        </button>
        <div className={styles.to}>{t('to', { to: mail.to.join(', ') || t('nobody') })}</div>
        {mail.reason && <div className={styles.reason}>{mail.reason}</div>}
      </div>
      <span className={styles.badges}>
        {mail.test && <Badge tone="warning">{t('test')}</Badge>}
        <MailStatus status={mail.status} delivery={mail.delivery} />
      </span>
      <time className={styles.since} dateTime={mail.created_at} title={formatMoment(mail.created_at)}>
        {formatSince(mail.created_at)}
      </time>
    </li>
  )
}
