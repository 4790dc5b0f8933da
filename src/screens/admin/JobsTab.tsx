import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { deadJobsQuery, useAdminChanges } from '../../api/admin'
import { failureText } from '../../api/failure'
import { formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { SettingsStack } from '../../ui/SettingsStack'
import styles from './admin.module.css'
import { Loaded } from './Loaded'

/** A half-deleted chatbot is useless: this job can't be dismissed. */
const DELETION = 'delete-chatbot'

/** Jobs and events of all projects that were given up. */
export function JobsTab() {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const query = useQuery(deadJobsQuery)
  const { retry, dismiss, retryAll } = useAdminChanges()
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  const any = query.data && query.data.jobs.length + query.data.events.length > 0
  const all = (
    <Button
      loading={retryAll.isPending}
      onClick={() =>
        retryAll.mutate(undefined, { onSuccess: (done) => notify.success(t('jobs.retriedAll', done)), onError })
      }
    >
      {t('jobs.retryAll')}
    </Button>
  )
  return (
    <Loaded query={query}>
      {({ jobs, events }) => (
        <SettingsStack>
          <Card
            title={t('jobs.title')}
            description={t(jobs.length === 0 ? 'jobs.none' : 'jobs.description')}
            actions={any && all}
            flush
          >
            {jobs.length > 0 && (
              <ul className={styles.rows} aria-label={t('jobs.title')}>
                {jobs.map((job) => (
                  <li key={job.id} className={styles.row}>
                    <div className={styles.words}>
                      <strong>{job.kind}</strong>
                      <span className={styles.faint}>
                        {job.project?.name ?? t('jobs.ofNobody')} ·{' '}
                        {t('jobs.when', { when: formatSince(job.failed_at), attempts: job.attempts })}
                      </span>
                      <span className={styles.error}>{job.error}</span>
                    </div>
                    <div className={styles.buttons}>
                      <Button
                        size="s"
                        aria-label={t('jobs.retryLabel', { what: job.kind })}
                        onClick={() =>
                          retry.mutate(job.id, { onSuccess: () => notify.success(t('jobs.retried')), onError })
                        }
                      >
                        {t('jobs.retry')}
                      </Button>
                      {job.kind !== DELETION && (
                        <Button
                          size="s"
                          design="ghost"
                          aria-label={t('jobs.dismissLabel', { what: job.kind })}
                          onClick={() => dismiss.mutate(job.id, { onError })}
                        >
                          {t('jobs.dismiss')}
                        </Button>
                      )}
                    </div>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          {events.length > 0 && (
            <Card title={t('jobs.events')} description={t('jobs.eventsDescription')} flush>
              <ul className={styles.rows} aria-label={t('jobs.events')}>
                {events.map((event, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a list to read, whose rows have no state
                  <li key={index} className={styles.row}>
                    <div className={styles.words}>
                      <strong>{event.type}</strong>
                      <span className={styles.faint}>
                        {event.consumer} · {event.project}
                      </span>
                      <span className={styles.error}>{event.error}</span>
                    </div>
                  </li>
                ))}
              </ul>
            </Card>
          )}
        </SettingsStack>
      )}
    </Loaded>
  )
}
