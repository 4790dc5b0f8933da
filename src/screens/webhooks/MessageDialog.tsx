import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import { useWebhook, webhookMessageQuery } from '../../api/webhooks'
import { Button } from '../../ui/Button'
import { CodeBlock } from '../../ui/CodeBlock'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { AttemptResult } from './AttemptResult'
import { eventName } from './eventName'
import styles from './webhooks.module.css'

interface MessageDialogProps {
  pgid: string
  gid: string
  message: string
  maySend: boolean
  onClose: () => void
}

/** A message: what it says, and each attempt to deliver it. */
export function MessageDialog({ pgid, gid, message, maySend, onClose }: MessageDialogProps) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery(webhookMessageQuery(pgid, gid, message))
  const { replay } = useWebhook(pgid, gid)
  return (
    <Modal opened onClose={onClose} size="lg" title={data ? t(eventName(data.message.type)) : t('log.one')}>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={2} height={120} />
      ) : (
        <div className={styles.fields}>
          <p className={styles.note}>
            <code>{t('log.id', { id: `msg_${message}` })}</code>
          </p>
          {data.body === null ? (
            <p className={styles.note}>{t('log.hidden')}</p>
          ) : (
            <CodeBlock label={t('examples.payload')} code={indented(data.body)} />
          )}
          <h3 className={styles.heading}>{t('log.attemptsTitle')}</h3>
          {data.attempts.length === 0 && <p className={styles.note}>{t('log.noAttempt')}</p>}
          {data.attempts.map((attempt) => (
            <AttemptResult key={attempt.at} attempt={attempt} />
          ))}
          {replay.error && (
            <p role="alert" className={styles.alert}>
              {failureText(replay.error, common('errors.message'))}
            </p>
          )}
        </div>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.close')}</Button>
        {maySend && data && (
          <Button
            design="primary"
            loading={replay.isPending}
            onClick={() =>
              replay.mutate({ message }, { onSuccess: () => notify.success(t('replay.done', { count: 1 })) })
            }
          >
            {t('replay.one')}
          </Button>
        )}
      </ModalActions>
    </Modal>
  )
}

const indented = (body: string): string => JSON.stringify(JSON.parse(body), null, 2)
