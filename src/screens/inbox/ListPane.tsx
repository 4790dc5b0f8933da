import { useVirtualizer } from '@tanstack/react-virtual'
import { Inbox, Search, SearchX } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxEntry, type InboxSetup, SEARCH_CAP } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { fieldOr } from '../../api/failure'
import { formatNumber } from '../../i18n/format'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { TextField } from '../../ui/TextField'
import { BulkBar } from './BulkBar'
import { Filters } from './Filters'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import { ListRow } from './ListRow'
import type { Others } from './usePresence'

const ROW = 78
/** A search begins this long after the last letter. */
const SEARCH_MS = 250

interface ListPaneProps {
  list: {
    entries: InboxEntry[] | undefined
    error: Error | null
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => unknown
    refetch: () => unknown
  }
  setup: InboxSetup | undefined
  search: string
  onSearch: (search: string) => void
  /** what is searched for, once nothing more is typed */
  wanted: string
  onWanted: (search: string) => void
  othersAt: (conversation: string) => Others
}

/** The conversations of a view, or those that a search finds, page after page as they come into sight. */
export function ListPane({ list, setup, search, onSearch, wanted, onWanted, othersAt }: ListPaneProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const place = useInboxPlace()
  const { view, conversation } = place
  const mayChange = useCan('conversations.update')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const scroller = useRef<HTMLDivElement>(null)
  const { entries, error, hasNextPage, isFetchingNextPage, fetchNextPage } = list
  const virtual = useVirtualizer({
    count: entries?.length ?? 0,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 8,
    getItemKey: (index) => entries?.[index]?.gid ?? index,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (!entries || error || !hasNextPage || isFetchingNextPage) return
    if (lastShown >= entries.length - 5) void fetchNextPage()
  }, [entries, error, lastShown, hasNextPage, isFetchingNextPage, fetchNextPage])
  const isTooLong = search.trim().length > SEARCH_CAP
  useEffect(() => {
    if (isTooLong) return
    const timer = setTimeout(() => onWanted(search.trim()), SEARCH_MS)
    return () => clearTimeout(timer)
  }, [search, isTooLong, onWanted])
  // keys move through the list: what is open stays in sight
  const at = entries?.findIndex(({ gid }) => gid === conversation) ?? -1
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' })
  }, [at, virtual])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isTooLong) onWanted(search.trim())
  }
  const here = entries?.filter(({ gid }) => chosen.has(gid)) ?? []
  const choose = (gid: string, isChosen: boolean) => {
    const next = new Set(chosen)
    if (isChosen) next.add(gid)
    else next.delete(gid)
    setChosen(next)
  }

  return (
    <section className={styles.list} aria-label={t('list')}>
      <form className={styles.search} onSubmit={submit}>
        <TextField
          aria-label={t('search.label')}
          placeholder={t('search.placeholder')}
          leftSection={<Search size={14} />}
          value={search}
          error={isTooLong && t('search.tooLong', { max: formatNumber(SEARCH_CAP) })}
          data-inbox-key="search"
          onChange={(event) => onSearch(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            onSearch('')
            event.currentTarget.blur()
          }}
        />
        <Filters setup={setup} />
      </form>
      {here.length > 0 && mayChange && setup && (
        <BulkBar
          chosen={here}
          setup={setup}
          onAll={() => setChosen(new Set(entries?.map(({ gid }) => gid)))}
          onDone={(left) => setChosen(new Set(left))}
        />
      )}
      {error && !entries?.length ? (
        <ErrorCard
          message={fieldOr(error, 'search', common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void list.refetch() }}
        />
      ) : !entries || (entries.length === 0 && hasNextPage) ? (
        <LoadingState rows={6} height={ROW - 10} />
      ) : entries.length === 0 ? (
        wanted ? (
          <EmptyState icon={<SearchX />} title={t('search.nothing')} message={t('search.nothingMessage')} />
        ) : (
          <EmptyState icon={<Inbox />} title={t(`empty.${view}`)} />
        )
      ) : (
        <div className={styles.rows} ref={scroller}>
          <ul style={{ height: virtual.getTotalSize() }}>
            {items.map(({ index, key, start }) => {
              const entry = entries[index]
              if (!entry) return null
              return (
                <li key={key} style={{ transform: `translateY(${start}px)`, height: ROW }}>
                  <ListRow
                    entry={entry}
                    labels={setup?.labels ?? []}
                    isOpen={entry.gid === conversation}
                    isChosen={chosen.has(entry.gid)}
                    isChoosing={here.length > 0}
                    others={othersAt(entry.gid)}
                    onOpen={() => place.open(entry.gid)}
                    onChoose={mayChange ? (isChosen) => choose(entry.gid, isChosen) : null}
                  />
                </li>
              )
            })}
          </ul>
          {error ? (
            <ErrorCard
              action={{
                label: common('actions.retry'),
                onClick: () => void (hasNextPage ? fetchNextPage() : list.refetch()),
              }}
            />
          ) : (
            hasNextPage && <p className={styles.more}>{t(wanted ? 'search.older' : 'loadingMore')}</p>
          )}
        </div>
      )}
    </section>
  )
}
