import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Columns3, Merge, MoreHorizontal, Plus, Upload, UsersRound } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { ContactConditions, Segment } from '../../../server/contracts/contactFilter'
import { useCan } from '../../api/account'
import { contactFieldsQuery } from '../../api/contactFields'
import { type ContactFilter, contactsQuery } from '../../api/contacts'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Menu, MenuEntry } from '../../ui/Menu'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import { ContactDialog } from './ContactDialog'
import { ContactTable } from './ContactTable'
import styles from './contacts.module.css'
import { FieldsDialog } from './fields/FieldsDialog'
import { ImportDialog } from './imports/ImportDialog'
import { DoublesDialog } from './merges/DoublesDialog'
import { FilterDialog } from './segments/FilterDialog'
import { countText, SegmentBar } from './segments/SegmentBar'

const filters = ['all', 'none', 'only'] as const
const everybody: ContactConditions = { match: 'all', conditions: [] }

/** /projects/:pgid/contacts: the people that a project knows. */
export function ContactsScreen() {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const mayCreate = useCan('contacts.create')
  const mayChange = useCan('contacts.update')
  const { data: fields } = useQuery(contactFieldsQuery(pgid))
  const [segment, setSegment] = useState('')
  const [conditions, setConditions] = useState(everybody)
  /** the conditions that are edited, and the segment that they are of */
  const [editing, setEditing] = useState<{ filter: ContactConditions; segment: Segment | null } | null>(null)
  const [shown, setShown] = useState<'import' | 'doubles' | 'fields' | null>(null)
  const [tests, setTests] = useState<(typeof filters)[number]>('all')
  const [search, setSearch] = useState('')
  const [tag, setTag] = useState('')
  /** '' is a new one */
  const [open, setOpen] = useState<string | null>(null)
  const wanted = useDeferredValue(search.trim())
  const filter: ContactFilter = {
    ...(tests !== 'all' && { test: tests }),
    ...(wanted && { search: wanted }),
    ...(tag && { tag }),
    ...(segment && { segment }),
    ...(conditions.conditions.length > 0 && { filter: JSON.stringify(conditions) }),
  }
  const query = useInfiniteQuery(contactsQuery(pgid, filter))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const contacts = data?.pages.flatMap((page) => page.contacts)
  const { tags = [], total = 0 } = data?.pages[0] ?? {}
  const columns = fields?.fields.filter(({ in_table }) => in_table) ?? []
  const isFiltered = wanted !== '' || tag !== '' || segment !== '' || conditions.conditions.length > 0
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            {(mayChange || mayCreate) && (
              <Menu>
                <Menu.Target>
                  <IconButton design="bordered" label={t('moreActions')} icon={<MoreHorizontal size={16} />} />
                </Menu.Target>
                <Menu.Dropdown>
                  {mayCreate && (
                    <MenuEntry leftSection={<Upload size={14} />} onClick={() => setShown('import')}>
                      {t('import.title')}
                    </MenuEntry>
                  )}
                  {mayChange && (
                    <MenuEntry leftSection={<Merge size={14} />} onClick={() => setShown('doubles')}>
                      {t('merge.button')}
                    </MenuEntry>
                  )}
                  {mayChange && (
                    <MenuEntry leftSection={<Columns3 size={14} />} onClick={() => setShown('fields')}>
                      {t('own.title')}
                    </MenuEntry>
                  )}
                </Menu.Dropdown>
              </Menu>
            )}
            {mayCreate && (
              <Button design="primary" icon={<Plus />} onClick={() => setOpen('')}>
                {t('new')}
              </Button>
            )}
          </>
        }
      />
      <SegmentBar
        pgid={pgid}
        value={segment}
        conditions={conditions.conditions.length}
        mayChange={mayChange}
        onChoose={setSegment}
        onEdit={(chosen) => setEditing({ filter: chosen.filter, segment: chosen })}
        onFilter={() => setEditing({ filter: conditions, segment: null })}
        onClear={() => setConditions(everybody)}
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
          value={tests}
          options={filters.map((value) => ({ value, label: t(`filter.${value}`) }))}
          onChange={setTests}
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
          title={t(isFiltered ? 'noMatch' : tests === 'only' ? 'noTests' : 'emptyTitle')}
          message={t(isFiltered ? 'noMatchMessage' : tests === 'only' ? 'noTestsMessage' : 'emptyMessage')}
        />
      ) : (
        <div className={styles.list}>
          {isFiltered && (
            <p role="status" className={styles.total}>
              {t('total', { count: total, text: countText(total) })}
            </p>
          )}
          <ContactTable contacts={contacts} own={columns} onOpen={setOpen} />
          {hasNextPage && (
            <Button loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              {t('more')}
            </Button>
          )}
        </div>
      )}
      {open !== null && <ContactDialog pgid={pgid} gid={open || null} onClose={() => setOpen(null)} />}
      {shown === 'doubles' && <DoublesDialog pgid={pgid} onClose={() => setShown(null)} />}
      {shown === 'import' && <ImportDialog pgid={pgid} onClose={() => setShown(null)} />}
      {shown === 'fields' && <FieldsDialog pgid={pgid} onClose={() => setShown(null)} />}
      {editing && (
        <FilterDialog
          pgid={pgid}
          {...editing}
          mayChange={mayChange}
          onApply={(filter) => {
            setConditions(filter)
            if (editing.segment) setSegment('')
            setEditing(null)
          }}
          onSaved={(gid) => {
            setSegment(gid)
            setConditions(everybody)
            setEditing(null)
          }}
          onClose={() => setEditing(null)}
        />
      )}
    </>
  )
}
