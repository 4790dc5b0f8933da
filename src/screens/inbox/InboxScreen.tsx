import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../../api/account'
import { entriesOf, inboxListQuery, inboxSetupQuery } from '../../api/inbox'
import { PageTitle } from '../../ui/PageTitle'
import styles from './inbox.module.css'
import { InboxPlaceProvider, useInboxPlaceOfAddress } from './inboxPlace'
import { KeysDialog } from './KeyList'
import { ListPane } from './ListPane'
import { MergeDialog } from './merge/MergeDialog'
import { NoConversation } from './NoConversation'
import type { ReplyHandle } from './ReplyEditor'
import { SnoozeDialog } from './SnoozeDialog'
import { ThreadPane } from './ThreadPane'
import { useChanges } from './useChanges'
import { useInboxEvents } from './useInboxEvents'
import { useInboxKeys } from './useInboxKeys'
import { useInboxRows } from './useInboxRows'
import { useSeenPresence } from './usePresence'
import { ViewsPane } from './ViewsPane'

/** Visitors' conversations: views, the list, and the conversation that is open, with what is known of its visitor. */
export function InboxScreen() {
  const { t } = useTranslation('inbox')
  const place = useInboxPlaceOfAddress()
  const { pgid, conversation, view, filters } = place
  const [search, setSearch] = useState('')
  const [wanted, setWanted] = useState('')
  const mayChange = useCan('conversations.update')
  const { data: setup } = useQuery(inboxSetupQuery(pgid))
  const { take, othersAt } = useSeenPresence(setup?.me)
  const isOut = useInboxEvents(pgid, conversation, take)
  const list = useInfiniteQuery(inboxListQuery(pgid, { view, search: wanted, filters }))
  const entries = useMemo(() => list.data && entriesOf(list.data.pages), [list.data])
  const changes = useChanges(pgid)
  const [showsKeys, setShowsKeys] = useState(false)
  const showKeys = useCallback(() => setShowsKeys(true), [])
  const [merges, setMerges] = useState<string | null>(null)
  const showMerge = useCallback(() => setMerges(conversation ?? null), [conversation])
  const [snoozes, setSnoozes] = useState<string | null>(null)
  const showSnooze = useCallback(() => setSnoozes(conversation ?? null), [conversation])
  const editor = useRef<ReplyHandle>(null)
  useInboxRows(place, setup, { onKeys: showKeys, onMerge: showMerge, onSnooze: showSnooze })

  const step = (by: 1 | -1) => {
    if (!entries || entries.length === 0) return
    const at = entries.findIndex(({ gid }) => gid === conversation)
    const next = entries[at < 0 ? 0 : Math.min(entries.length - 1, Math.max(0, at + by))]
    if (next) place.open(next.gid)
  }
  const press = (name: string) => document.querySelector<HTMLElement>(`[data-inbox-key="${name}"]`)
  useInboxKeys({
    j: () => step(1),
    k: () => step(-1),
    '/': () => press('search')?.focus(),
    '?': showKeys,
    r: () => editor.current?.write('reply'),
    n: () => editor.current?.write('note'),
    ...(mayChange && {
      a: () => press('assign')?.click(),
      e: () => {
        if (conversation) changes.mutate({ conversations: [conversation], change: { status: 'closed' } })
      },
    }),
  })

  return (
    <InboxPlaceProvider value={place}>
      <PageTitle>{t('title')}</PageTitle>
      <div className={styles.screen} data-open={conversation ? true : undefined}>
        {/* on a phone the views give way to a conversation, the heading doesn't */}
        <h1 className={styles.hidden}>{t('title')}</h1>
        <ViewsPane setup={setup} />
        <ListPane
          list={{ ...list, entries }}
          setup={setup}
          search={search}
          onSearch={setSearch}
          onWanted={setWanted}
          wanted={wanted}
          othersAt={othersAt}
        />
        {conversation ? (
          <ThreadPane
            key={conversation}
            conversation={conversation}
            setup={setup}
            others={othersAt(conversation)}
            isOut={isOut}
            onMerge={showMerge}
            onSnooze={showSnooze}
            editor={editor}
          />
        ) : (
          <NoConversation />
        )}
        {merges && <MergeDialog conversation={merges} onClose={() => setMerges(null)} />}
        {snoozes && <SnoozeDialog pgid={pgid} conversations={[snoozes]} onClose={() => setSnoozes(null)} />}
        {showsKeys && <KeysDialog onClose={() => setShowsKeys(false)} />}
      </div>
    </InboxPlaceProvider>
  )
}
