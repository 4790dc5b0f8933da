import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { type ContactImport, type ImportProblem, importCaps } from '../../../../server/contracts/contactImports'
import { useContactImport } from '../../../api/contactImports'
import { contactsKey } from '../../../api/contacts'
import { failureText } from '../../../api/failure'
import { formatNumber } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { ModalActions } from '../../../ui/Modal'
import styles from './imports.module.css'
import { ProblemList } from './ProblemList'

interface ImportResultProps {
  pgid: string
  file: ContactImport
  problems: readonly ImportProblem[]
  onMapping: () => void
  onClose: () => void
}
const counts = ['created', 'updated', 'skipped', 'refused'] as const

/** What a dry run found, or what an import has done, with its progress. */
export function ImportResult({ pgid, file, problems, onMapping, onClose }: ImportResultProps) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { start } = useContactImport(pgid)
  const queries = useQueryClient()
  const { status, rows, processed } = file
  const isWorking = status === 'checking' || status === 'running'
  const isDone = status === 'done'
  useEffect(() => {
    if (isDone) void queries.invalidateQueries({ queryKey: [...contactsKey(pgid), 'list'] })
  }, [isDone, queries, pgid])
  return (
    <>
      <p role="status" className={styles.state}>
        {t(`import.says.${status}`, { name: file.name, processed: formatNumber(processed), rows: formatNumber(rows) })}
      </p>
      {isWorking && (
        <progress className={styles.progress} max={rows || 1} value={processed} aria-label={t('import.progress')} />
      )}
      <dl className={styles.counts}>
        {counts.map((name) => (
          <div key={name} data-count={name}>
            <dt>{t(`import.counts.${isDone || status === 'running' ? 'done' : 'will'}.${name}`)}</dt>
            <dd>{formatNumber(file[name])}</dd>
          </div>
        ))}
      </dl>
      <ProblemList
        title={
          file.refused > importCaps.problems
            ? t('import.firstProblems', { count: importCaps.problems })
            : t('import.problems')
        }
        problems={problems}
      />
      {start.error && (
        <p role="alert" className={styles.problem}>
          {failureText(start.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        {(status === 'checked' || status === 'failed') && <Button onClick={onMapping}>{t('import.change')}</Button>}
        {status === 'checked' && file.created + file.updated > 0 ? (
          <Button design="primary" loading={start.isPending} onClick={() => start.mutate(file.gid)}>
            {t('import.start', { count: file.created + file.updated })}
          </Button>
        ) : (
          <Button design={isDone ? 'primary' : undefined} onClick={onClose}>
            {common('actions.close')}
          </Button>
        )}
      </ModalActions>
    </>
  )
}
