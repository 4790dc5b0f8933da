import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { MailEntry } from '../../../server/contracts/mails'
import { failureText } from '../../api/failure'
import { mailQuery } from '../../api/mails'
import { formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import { Tabs } from '../../ui/Tabs'
import { Deliveries } from './Deliveries'
import { MailStatus } from './MailStatus'
import styles from './outbox.module.css'

/** A mail as its recipients see it: as HTML, which runs nothing and loads nothing here, and as text. */
export function MailDialog({ pgid, mail, onClose }: { pgid: string; mail: MailEntry; onClose: () => void }) {
  const { t } = useTranslation('outbox')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(mailQuery(pgid, mail.gid))
  const lines = [
    ['from', mail.from],
    ['toLabel', mail.to.join(', ')],
    ['cc', mail.cc.join(', ')],
    ['bcc', mail.bcc.join(', ')],
    ['replyTo', mail.reply_to.join(', ')],
    ['chatbot', mail.chatbot ?? ''],
    ['at', formatMoment(mail.created_at)],
    ['reason', mail.reason ?? ''],
  ] as const
  return (
    <Modal opened onClose={onClose} title={mail.subject || t('noSubject')} size="lg">
      <div className={styles.mail}>
        <span className={styles.badges}>
          <MailStatus status={mail.status} delivery={mail.delivery} />
          {mail.test && <Badge tone="warning">{t('test')}</Badge>}
        </span>
        <dl className={styles.head}>
          {lines.map(
            ([name, value]) =>
              value !== '' && (
                <div key={name} className={styles.line}>
                  <dt>{t(name)}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
        {data && data.deliveries.length > 0 && <Deliveries deliveries={data.deliveries} />}
        {error ? (
          <ErrorCard
            message={failureText(error, common('errors.message'))}
            action={{ label: common('actions.retry'), onClick: () => void refetch() }}
          />
        ) : !data ? (
          <LoadingState rows={1} height={320} />
        ) : (
          <Tabs defaultValue="html">
            <Tabs.List>
              <Tabs.Tab value="html">{t('html')}</Tabs.Tab>
              <Tabs.Tab value="text">{t('text')}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="html">
              <iframe className={styles.html} sandbox="" srcDoc={data.html} title={t('htmlTitle')} />
            </Tabs.Panel>
            <Tabs.Panel value="text">
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a mouse */}
              <pre className={styles.text} tabIndex={0}>
                {data.text}
              </pre>
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </Modal>
  )
}
