import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { KeptCspReport } from '../../../server/contracts/cspReports'
import { cspReportsQuery, useAdminChanges } from '../../api/admin'
import { failureText } from '../../api/failure'
import { formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import styles from './admin.module.css'
import { Loaded } from './Loaded'

/** What browsers reported that the content security policy kept pages from. */
export function CspReportsCard() {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const query = useQuery(cspReportsQuery)
  const { clearCspReports } = useAdminChanges()
  const clear = () =>
    clearCspReports.mutate(undefined, {
      onSuccess: () => notify.success(t('csp.cleared')),
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Loaded query={query}>
      {(reports) => (
        <Card
          title={t('csp.title')}
          description={t(reports.length === 0 ? 'csp.none' : 'csp.description')}
          actions={
            reports.length > 0 && (
              <Button loading={clearCspReports.isPending} onClick={clear}>
                {t('csp.clear')}
              </Button>
            )
          }
          flush
        >
          {reports.length > 0 && (
            <ul className={styles.rows} aria-label={t('csp.title')}>
              {reports.map((report) => (
                <Report key={JSON.stringify({ ...report, count: 0, last_at: '' })} report={report} />
              ))}
            </ul>
          )}
        </Card>
      )}
    </Loaded>
  )
}

function Report({ report: { directive, blocked, source, line, count, ...report } }: { report: KeptCspReport }) {
  const { t } = useTranslation('admin')
  const page = report.page ?? t('csp.otherPage')
  const from = line === null ? t('csp.at', { page, source }) : t('csp.atLine', { page, source, line })
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>
          {directive} · {blocked}
        </strong>
        <span>{source === null ? page : from}</span>
      </div>
      <span className={styles.faint}>
        {t('csp.times', { count, first: formatSince(report.first_at), when: formatSince(report.last_at) })}
      </span>
    </li>
  )
}
