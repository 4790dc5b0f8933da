import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Download, ScrollText, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { AuditEntry } from '../../../server/contracts/auditLog'
import { useAccount, useCan } from '../../api/account'
import { type AuditFilter, auditLogQuery, downloadAuditLog } from '../../api/auditLog'
import { failureText } from '../../api/failure'
import { membersQuery } from '../../api/members'
import { formatMoment } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './auditLog.module.css'
import { ChainCheck } from './ChainCheck'
import { EntryDialog, personName } from './EntryDialog'
import { auditSubjects, entryName } from './entryName'

const ALL: AuditFilter = { person: '', subject: '', from: '', to: '' }

/** /settings/project/audit-log: what members did, and what it changed. */
export function AuditLogScreen() {
  const { t } = useTranslation('auditLog')
  const { pgid = '' } = useParams()
  const onPlan = useAccount().user.subscription.features.audit === true
  const [filter, setFilter] = useState(ALL)
  const [checking, setChecking] = useState(false)
  const mayExport = useCan('project.export')
  const [fetching, setFetching] = useState(false)
  const save = async () => {
    setFetching(true)
    try {
      await downloadAuditLog(pgid, filter)
    } catch {
      notify.error(t('exportFailed'))
    } finally {
      setFetching(false)
    }
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          onPlan && (
            <div className={styles.head}>
              <Button icon={<ShieldCheck />} onClick={() => setChecking(true)}>
                {t('check.open')}
              </Button>
              {mayExport && (
                <Button icon={<Download />} loading={fetching} onClick={() => void save()}>
                  {t('export')}
                </Button>
              )}
            </div>
          )
        }
      />
      {onPlan ? (
        <div className={styles.stack}>
          <Filters pgid={pgid} filter={filter} onChange={setFilter} />
          <Entries pgid={pgid} filter={filter} onClear={() => setFilter(ALL)} />
        </div>
      ) : (
        <EmptyState icon={<ShieldCheck />} title={t('planTitle')} message={t('planMessage')} />
      )}
      {checking && <ChainCheck pgid={pgid} onClose={() => setChecking(false)} />}
    </>
  )
}

interface FiltersProps {
  pgid: string
  filter: AuditFilter
  onChange: (filter: AuditFilter) => void
}

function Filters({ pgid, filter, onChange }: FiltersProps) {
  const { t } = useTranslation('auditLog')
  const seesMembers = useCan('members.view')
  const members = useQuery({ ...membersQuery(pgid), enabled: seesMembers })
  const set = (part: Partial<AuditFilter>) => onChange({ ...filter, ...part })
  return (
    <div className={styles.filters}>
      {seesMembers && (
        <Select
          label={t('who')}
          clearable
          placeholder={t('everybody')}
          value={filter.person || null}
          data={(members.data?.members ?? []).map(({ gid, first_name, last_name }) => ({
            value: gid,
            label: `${first_name} ${last_name}`.trim(),
          }))}
          onChange={(person) => set({ person: person ?? '' })}
        />
      )}
      <Select
        label={t('subject')}
        clearable
        placeholder={t('everything')}
        value={filter.subject || null}
        data={auditSubjects
          .map((value) => ({ value, label: t(`subjects.${value}`) }))
          .sort((one, other) => one.label.localeCompare(other.label))}
        onChange={(subject) => set({ subject: subject ?? '' })}
      />
      <TextField
        type="date"
        label={t('from')}
        value={filter.from}
        max={filter.to || undefined}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextField
        type="date"
        label={t('to')}
        value={filter.to}
        min={filter.from || undefined}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
    </div>
  )
}

function Entries({ pgid, filter, onClear }: { pgid: string; filter: AuditFilter; onClear: () => void }) {
  const { t } = useTranslation('auditLog')
  const { t: common } = useTranslation()
  const [opened, setOpened] = useState<AuditEntry | null>(null)
  const query = useInfiniteQuery(auditLogQuery(pgid, filter))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const entries = data?.pages.flatMap((page) => page.entries)
  const filtered = Object.values(filter).some((value) => value !== '')
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!entries) return <LoadingState rows={6} height={52} />
  if (entries.length === 0)
    return filtered ? (
      <EmptyState
        icon={<ScrollText />}
        title={t('noneTitle')}
        message={t('noneMessage')}
        action={<Button onClick={onClear}>{t('clear')}</Button>}
      />
    ) : (
      <EmptyState icon={<ScrollText />} title={t('emptyTitle')} message={t('emptyMessage')} />
    )
  return (
    <div className={styles.list}>
      <Card flush>
        <ul className={styles.rows} aria-label={t('title')}>
          {entries.map((entry) => (
            <li key={entry.seq} className={styles.row}>
              <div className={styles.words}>
                <button type="button" className={styles.name} aria-haspopup="dialog" onClick={() => setOpened(entry)}>
                  {entryName(t, entry.type)}
                  {entry.about !== null && <span className={styles.about}> {entry.about}</span>}
                </button>
                <div className={styles.by}>
                  {[
                    personName(entry, t('gone'), t('commandLine')),
                    entry.chatbot,
                    entry.changes.length > 0 &&
                      t('changed', { names: entry.changes.flatMap(({ after }) => Object.keys(after)).join(', ') }),
                    entry.address,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </div>
              </div>
              <time className={styles.since} dateTime={entry.at}>
                {formatMoment(entry.at)}
              </time>
            </li>
          ))}
        </ul>
      </Card>
      {hasNextPage && (
        <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
      {opened && <EntryDialog entry={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}
