import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type SourceKind, type SourceStatus, sourceKinds, sourceStatuses } from '../../../server/contracts/sources'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './data-sources.module.css'
import type { SourceView } from './useSourceView'

const ALL = 'all'
const TYPED_MS = 250

/** Filters by text, kind and status. */
export function SourceFilters({ view: { filter, setFilter } }: { view: SourceView }) {
  const { t } = useTranslation('sources')
  const [typed, setTyped] = useState(filter.search ?? '')
  const search = useDebouncedCallback((text: string) => setFilter({ search: text.trim() || undefined }), TYPED_MS)
  // cleared from outside
  useEffect(() => {
    if (!filter.search) setTyped('')
  }, [filter.search])
  return (
    <search className={styles.filters} aria-label={t('filter.label')}>
      <TextField
        className={styles.search}
        aria-label={t('filter.search')}
        placeholder={t('filter.search')}
        leftSection={<Search size={14} />}
        value={typed}
        maxLength={200}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          search(event.currentTarget.value)
        }}
      />
      <Select
        className={styles.pick}
        aria-label={t('filter.kind')}
        value={filter.kind ?? ALL}
        data={[
          { value: ALL, label: t('filter.allKinds') },
          ...sourceKinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) })),
        ]}
        onChange={(kind) => setFilter({ kind: kind === ALL ? undefined : (kind as SourceKind) })}
      />
      <Select
        className={styles.pick}
        aria-label={t('filter.status')}
        value={filter.status ?? ALL}
        data={[
          { value: ALL, label: t('filter.allStatuses') },
          ...sourceStatuses.map((status) => ({ value: status, label: t(`status.${status}`) })),
        ]}
        onChange={(status) => setFilter({ status: status === ALL ? undefined : (status as SourceStatus) })}
      />
    </search>
  )
}
