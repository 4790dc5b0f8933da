import { useQuery } from '@tanstack/react-query'
import { MailOpen } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { failureText } from '../../api/failure'
import { inboundMailsQuery } from '../../api/mailInbox'
import { formatMoment } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import styles from './mailInbox.module.css'

/** The newest mails that came in: where they went, or why they are no message. */
export function InboundMails({ pgid }: { pgid: string }) {
  const { t } = useTranslation('mailInbox')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(inboundMailsQuery(pgid))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={2} height={56} />
  return (
    <Card title={t('mails.title')} flush>
      {data.length === 0 ? (
        <EmptyState icon={<MailOpen />} title={t('mails.none')} message={t('mails.noneHint')} />
      ) : (
        <ul className={styles.mails} aria-label={t('mails.title')}>
          {data.map((mail) => (
            <li key={mail.gid} className={styles.mail}>
              <div>
                <strong>{mail.subject || t('mails.noSubject')}</strong>
                <span className={styles.note}>
                  {mail.sender} · {formatMoment(mail.at)}
                </span>
                {mail.reason && <span className={styles.note}>{mail.reason}</span>}
              </div>
              {mail.conversation ? (
                <Link to={`/projects/${pgid}/conversations/${mail.conversation}`}>{t('mails.open')}</Link>
              ) : (
                <span className={styles.note}>{t(`mails.${mail.status}`)}</span>
              )}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
