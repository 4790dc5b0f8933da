import { MessageCircleQuestionMark, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { type SourceList, sourceKinds } from '../../../server/contracts/sources'
import { useCan, useUnlimited } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, underWay, useSourceChanges } from '../../api/sources'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { notify } from '../../ui/notify'
import { Meter } from './Meter'
import styles from './summary.module.css'

interface SummaryProps {
  place: ChatbotPlace
  list: SourceList
  onShowFailed: () => void
}

/** The size of the knowledge base, the credits used, and the training progress. */
export function Summary({ place, list: { training, credits }, onShowFailed }: SummaryProps) {
  const { t } = useTranslation('sources')
  const unlimited = useUnlimited()
  return (
    <section className={styles.summary} aria-label={t('summary.label')}>
      <dl className={styles.numbers}>
        {sourceKinds.map((kind) => (
          <Figure key={kind} name={t(`kinds.${kind}`)} value={formatNumber(training.by_kind[kind])} />
        ))}
        <Figure name={t('summary.characters')} value={formatNumber(training.characters)} />
        <Figure name={t('summary.passages')} value={formatNumber(training.chunks)} />
        <Figure
          name={t('summary.credits')}
          value={
            <span className={styles.credits}>
              {t(unlimited ? 'summary.creditsUnlimited' : 'summary.creditsOf', {
                used: shortNumber(credits.used),
                max: shortNumber(credits.max),
              })}
              {!unlimited && <Meter label={t('summary.creditsUsed')} value={credits.used} max={credits.max} warn />}
            </span>
          }
        />
      </dl>
      <Training place={place} training={training} onShowFailed={onShowFailed} />
    </section>
  )
}

const Figure = ({ name, value }: { name: string; value: ReactNode }) => (
  <div className={styles.figure}>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)

/** Short form: nobody reads 150,000,000. */
const shortNumber = (value: number) =>
  value >= 1e6
    ? new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 1 }).format(value)
    : formatNumber(value)

interface TrainingProps {
  place: ChatbotPlace
  training: SourceList['training']
  onShowFailed: () => void
}

function Training({ place, training: { status, by_status }, onShowFailed }: TrainingProps) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { stop } = useSourceChanges(place)
  const mayStop = useCan('knowledge_base.update')
  const mayAsk = useCan('playground.use') && by_status.ready > 0
  const all = Object.values(by_status).reduce((sum, count) => sum + count, 0)
  const left = underWay.reduce((sum, each) => sum + by_status[each], 0)
  const stopAll = () =>
    stop.mutate(undefined, {
      onSuccess: (count) => notify.neutral(t('summary.stopped', { count })),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <div className={styles.training}>
      <div className={styles.state} role="status" aria-label={t('summary.training')}>
        {status === 'training' ? (
          <>
            <Badge dot tone="accent">
              {t('summary.training')}
            </Badge>
            <span className={styles.done}>
              {t('summary.underWay', { done: formatNumber(all - left), all: formatNumber(all) })}
            </span>
            <span className={styles.steps}>
              {t('summary.steps', {
                queued: formatNumber(by_status.queued),
                reading: formatNumber(by_status.reading),
                training: formatNumber(by_status.training),
              })}
            </span>
          </>
        ) : by_status.error > 0 ? (
          <Badge dot tone="danger">
            {t('summary.failed', { count: by_status.error })}
          </Badge>
        ) : (
          <Badge dot tone="success">
            {t('summary.idle')}
          </Badge>
        )}
      </div>
      {status === 'training' ? (
        <>
          <Meter label={t('summary.progress')} value={all - left} max={all} />
          {mayStop && (
            <Button size="s" icon={<Square />} loading={stop.isPending} onClick={stopAll}>
              {t('summary.stop')}
            </Button>
          )}
        </>
      ) : (
        by_status.error > 0 && (
          <Button size="s" onClick={onShowFailed}>
            {t('summary.showFailed')}
          </Button>
        )
      )}
      {mayAsk && (
        <Button
          size="s"
          design="ghost"
          icon={<MessageCircleQuestionMark />}
          to={`/projects/${place.pgid}/chatbots/${place.cgid}/playground`}
        >
          {t('summary.ask')}
        </Button>
      )}
    </div>
  )
}
