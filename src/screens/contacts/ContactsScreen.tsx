import { useInfiniteQuery } from '@tanstack/react-query'
import { Plus, UsersRound } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ContactEntry } from '../../../server/contracts/contacts'
import { useCan } from '../../api/account'
import { type ContactFilter, contactsQuery } from '../../api/contacts'
import { failureText } from '../../api/failure'
import { formatMoment, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import { ContactDialog } from './ContactDialog'
import styles from './contacts.module.css'

const filters = ['all', 'none', 'only'] as const

/** /projects/:pgid/contacts: the people that a project knows. */
export function ContactsScreen() {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayCreate = useCan('contacts.create')
  const [shown, setShown] = useState<(typeof filters)[number]>('all')
  const [search, setSearch] = useState('')
  const [tag, setTag] = useState('')
  /** '' is a new one */
  const [open, setOpen] = useState<string | null>(null)
  const wanted = useDeferredValue(search.trim())
  const filter: ContactFilter = {
    ...(shown !== 'all' && { test: shown }),
    ...(wanted && { search: wanted }),
    ...(tag && { tag }),
  }
  const query = useInfiniteQuery(contactsQuery(pgid, filter))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const contacts = data?.pages.flatMap((page) => page.contacts)
  const tags = data?.pages[0]?.tags ?? []
  const isFiltered = wanted !== '' || tag !== ''
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayCreate && (
            <Button design="primary" icon={<Plus />} onClick={() => setOpen('')}>
              {t('new')}
            </Button>
          )
        }
      />
      <div className={styles.filters}>
        <TextField
          aria-label={t('search')}
          placeholder={t('search')}
          type="search"
          maxLength={200}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        {tags.length > 0 && (
          <Select
            aria-label={t('tag')}
            allowDeselect={false}
            data={[{ value: '', label: t('allTags') }, ...tags.map((value) => ({ value, label: value }))]}
            value={tag}
            onChange={(value) => setTag(value ?? '')}
          />
        )}
        <Segmented
          label={t('filter.label')}
          value={shown}
          options={filters.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={setShown}
        />
      </div>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !contacts ? (
        <LoadingState rows={4} height={44} />
      ) : contacts.length === 0 ? (
        <EmptyState
          icon={<UsersRound />}
          title={t(isFiltered ? 'noMatch' : shown === 'only' ? 'noTests' : 'emptyTitle')}
          message={t(isFiltered ? 'noMatchMessage' : shown === 'only' ? 'noTestsMessage' : 'emptyMessage')}
        />
      ) : (
        <div className={styles.list}>
          <ContactTable contacts={contacts} onOpen={setOpen} />
          {hasNextPage && (
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </div>
      )}
      {open !== null && <ContactDialog pgid={pgid} gid={open || null} onClose={() => setOpen(null)} />}
    </>
  )
}

function ContactTable({ contacts, onOpen }: { contacts: readonly ContactEntry[]; onOpen: (gid: string) => void }) {
  const { t } = useTranslation('contacts')
  return (
    <Card flush>
      <section className={styles.scroll} aria-label={t('title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('fields.name')}</th>
              <th scope="col">{t('fields.email')}</th>
              <th scope="col">{t('fields.phone')}</th>
              <th scope="col">{t('tags')}</th>
              <th scope="col">{t('created')}</th>
            </tr>
          </thead>
          <tbody>
            {contacts.map(({ gid, fields, tags, blocked, test, created_at }) => (
              <tr key={gid}>
                <td>
                  <button type="button" className={styles.open} onClick={() => onOpen(gid)}>
                    {fields.name || fields.user_id || t('unknown')}
                  </button>{' '}
                  {test && <Badge tone="warning">{t('test')}</Badge>}
                  {blocked && <Badge tone="danger">{t('blocked')}</Badge>}
                </td>
                <td>{fields.email}</td>
                <td>{fields.phone}</td>
                <td>
                  {tags.map((tag) => (
                    <Badge key={tag}>{tag}</Badge>
                  ))}
                </td>
                <td>
                  <time dateTime={created_at} title={formatMoment(created_at)}>
                    {formatSince(created_at)}
                  </time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Card>
  )
}
