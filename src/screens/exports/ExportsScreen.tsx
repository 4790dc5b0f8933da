import { useQuery } from '@tanstack/react-query'
import { FileDown, Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { KEPT_DAYS } from '../../../server/contracts/exports'
import { exportsQuery } from '../../api/exports'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ExportRow } from './ExportRow'
import styles from './exports.module.css'
import { NewExportDialog } from './NewExportDialog'

/** /projects/:pgid/exports-history: a project's data as files. */
export function ExportsScreen() {
  const { t } = useTranslation('exports')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { data, error, refetch } = useQuery(exportsQuery(pgid))
  const [making, setMaking] = useState(false)
  const begin = (
    <Button design="primary" icon={<Plus />} onClick={() => setMaking(true)}>
      {t('new')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} description={t('description', { days: KEPT_DAYS })} actions={begin} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !data ? (
        <LoadingState rows={3} height={64} />
      ) : data.length === 0 ? (
        <EmptyState icon={<FileDown />} title={t('emptyTitle')} message={t('emptyMessage')} />
      ) : (
        <Card flush>
          <ul className={styles.list} aria-label={t('title')}>
            {data.map((entry) => (
              <ExportRow key={entry.gid} pgid={pgid} entry={entry} />
            ))}
          </ul>
        </Card>
      )}
      {making && <NewExportDialog pgid={pgid} onClose={() => setMaking(false)} />}
    </>
  )
}
