import { useMutation, useQuery } from '@tanstack/react-query'
import { Mail } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { messageText } from '../../../engine/run/recordingWords'
import { sendAgain, type TranscriptEntry } from '../../../server/contracts/conversations'
import { callRoute } from '../../api/client'
import { transcriptQuery } from '../../api/conversations'
import { failureText } from '../../api/failure'
import { SurveyAnswerView } from '../../chatbots/SurveyAnswerView'
import { formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import styles from './conversation.module.css'

/** A visitor's conversation, read-only: the link in a hand-off's mail. */
export function ConversationScreen() {
  const { t } = useTranslation('conversation')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '', conversation = '' } = useParams()
  const { data, error, refetch } = useQuery(transcriptQuery({ pgid, cgid, conversation }))
  const again = useMutation({
    mutationFn: (seq: number) => callRoute(sendAgain, { params: { pgid, cgid, conversation, seq } }),
    onError: (failure) => notify.error(failureText(failure, common('errors.message'))),
    onSettled: () => refetch(),
  })
  return (
    <>
      <PageHeader
        title={t('title')}
        description={data && t('started', { chatbot: data.chatbot, at: formatMoment(data.started_at) })}
        actions={data && <Button onClick={() => void refetch()}>{t('refresh')}</Button>}
      />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={4} height={44} />
      ) : (
        <div className={styles.screen}>
          <HandOff transcript={data} />
          {data.survey && (
            <Card title={t('survey')}>
              <SurveyAnswerView answer={data.survey} />
            </Card>
          )}
          <Card>
            {data.cut && <p className={styles.note}>{t('cut')}</p>}
            <ol className={styles.messages} aria-label={t('messages')}>
              {data.messages.map(({ seq, author, content, at, sender, delivery, helpful }) => (
                <li key={seq} className={author === 2 ? styles.visitor : styles.bot}>
                  <span className={styles.who}>
                    {sender ?? t(author === 2 ? 'visitor' : 'bot')} · <time dateTime={at}>{formatMoment(at)}</time>
                  </span>
                  <p className={styles.bubble}>{messageText(content) || t('skipped')}</p>
                  {typeof helpful === 'boolean' && (
                    <Badge tone={helpful ? 'success' : 'warning'}>{t(helpful ? 'helpful' : 'notHelpful')}</Badge>
                  )}
                  {delivery?.status === 'dead' && (
                    <span className={styles.undelivered}>
                      {t('undelivered', { reason: delivery.reason ?? '' })}
                      <Button
                        size="s"
                        disabled={again.isPending}
                        onClick={() => again.mutate(seq)}
                        aria-label={t('sendAgainOf', { text: messageText(content) })}
                      >
                        {t('sendAgain')}
                      </Button>
                    </span>
                  )}
                </li>
              ))}
            </ol>
            {data.state === 'ended' && <p className={styles.note}>{t('ended')}</p>}
          </Card>
        </div>
      )}
    </>
  )
}

/** Who it was handed to, and where the visitor is answered. */
function HandOff({ transcript: { hand_off: handOff, test } }: { transcript: TranscriptEntry }) {
  const { t } = useTranslation('conversation')
  if (!handOff) return null
  return (
    <Card>
      <div className={styles.handOff}>
        <div className={styles.words}>
          <h2>
            {handOff.team ? t('handedTo', { team: handOff.team }) : t('handedOver')}{' '}
            {test && <Badge tone="warning">{t('test')}</Badge>}
          </h2>
          <p className={styles.note}>
            {formatMoment(handOff.at)} · {handOff.email === null ? t('noEmail') : handOff.email}
          </p>
          {handOff.note && <p className={styles.bubble}>{handOff.note}</p>}
        </div>
        {handOff.email !== null && (
          <Button to={`mailto:${handOff.email}`} design="primary" icon={<Mail size={15} />}>
            {t('answer')}
          </Button>
        )}
      </div>
    </Card>
  )
}
