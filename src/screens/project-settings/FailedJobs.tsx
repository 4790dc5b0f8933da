import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { FailedJob } from '../../../server/contracts/jobs'
import { failedJobsQuery, useFailedJobChanges } from '../../api/failedJobs'
import { failureText } from '../../api/failure'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import styles from './failedJobs.module.css'

/** Jobs that were given up after ten attempts: what, when and why, to be retried or dismissed. */
export function FailedJobs({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const { data: jobs } = useQuery(failedJobsQuery(pgid))
  if (!jobs) return null
  return (
    <Card title={t('jobs.title')} description={t(jobs.length === 0 ? 'jobs.none' : 'jobs.description')}>
      {jobs.length > 0 && (
        <ul className={styles.jobs} aria-label={t('jobs.title')}>
          {jobs.map((job) => (
            <Row key={job.id} pgid={pgid} job={job} />
          ))}
        </ul>
      )}
    </Card>
  )
}

/** Kinds with texts of their own; others are shown by name. */
const kinds: Record<
  string,
  | 'deleteChatbot'
  | 'training'
  | 'crawl'
  | 'comment'
  | 'evaluations'
  | 'conversation'
  | 'credits'
  | 'limits'
  | 'whatsapp'
> = {
  'delete-chatbot': 'deleteChatbot',
  train: 'training',
  'calibrate-knowledge': 'training',
  'knowledge.embed': 'training',
  'find-pages': 'crawl',
  'mail-comment': 'comment',
  'evaluation-run': 'evaluations',
  'conversation-timer': 'conversation',
  'mail-credits': 'credits',
  'mail-over-limit': 'limits',
  'read-whatsapp-apart': 'whatsapp',
  'take-whatsapp-apart': 'whatsapp',
}

/** A half-deleted chatbot is useless: this job can't be dismissed. */
const DELETION = 'delete-chatbot'

function Row({ pgid, job }: { pgid: string; job: FailedJob }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const { retry, dismiss } = useFailedJobChanges(pgid)
  const kind = kinds[job.kind]
  const what = kind ? t(`jobs.kinds.${kind}`) : job.kind
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  return (
    <li className={styles.job}>
      <div className={styles.what}>
        <strong>{what}</strong>
        <span className={styles.when}>
          {t('jobs.failed', { at: formatMoment(job.failed_at), attempts: job.attempts })}
        </span>
        <span className={styles.error}>{job.error}</span>
      </div>
      <div className={styles.actions}>
        <Button
          size="s"
          aria-label={t('jobs.retryLabel', { what })}
          loading={retry.isPending}
          onClick={() => retry.mutate(job.id, { onSuccess: () => notify.success(t('jobs.retried')), onError })}
        >
          {t('jobs.retry')}
        </Button>
        {job.kind !== DELETION && (
          <Button
            size="s"
            design="ghost"
            aria-label={t('jobs.dismissLabel', { what })}
            loading={dismiss.isPending}
            onClick={() => dismiss.mutate(job.id, { onError })}
          >
            {t('jobs.dismiss')}
          </Button>
        )}
      </div>
    </li>
  )
}
