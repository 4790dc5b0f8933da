import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type Ref, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type InboxSetup, seeConversation } from '../../../server/contracts/inbox'
import { useCan } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { inboxConversationQuery, inboxThreadQuery } from '../../api/inbox'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { DetailsPane } from './DetailsPane'
import styles from './inbox.module.css'
import { useInboxPlace } from './inboxPlace'
import './print.css'
import { ReplyEditor, type ReplyHandle } from './ReplyEditor'
import { ThreadHeader } from './ThreadHeader'
import { ThreadItems } from './ThreadItems'
import { arrange, messageKey } from './thread'
import { type Others, useOwnPresence } from './usePresence'
import { usePrint } from './usePrint'
import { useReplies } from './useReplies'
import { useReplyFiles } from './useReplyFiles'
import { useTranslations } from './useTranslations'

const AT_END = 80

interface ThreadPaneProps {
  conversation: string
  setup: InboxSetup | undefined
  others: Others
  /** no longer of the project: what was written stays, and can't be sent */
  isOut: boolean
  /** asks which conversations of the visitor are to be one */
  onMerge: () => void
  /** asks until when it is put away */
  onSnooze: () => void
  /** what keys do to the editor; null: there is none */
  editor: Ref<ReplyHandle>
}

/** A conversation: what was said and done in it, where it is answered, and who the visitor is. */
export function ThreadPane(props: ThreadPaneProps) {
  const { conversation, setup, others, isOut, onMerge, onSnooze, editor } = props
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation()
  const place = useInboxPlace()
  const { pgid } = place
  const mayReply = useCan('conversations.reply')
  const details = useQuery(inboxConversationQuery(pgid, conversation))
  const thread = useInfiniteQuery(inboxThreadQuery(pgid, conversation))
  const [showsDetails, setShowsDetails] = useState(false)
  const sayTyping = useOwnPresence(pgid, conversation)
  const pages = thread.data?.pages
  const items = useMemo(() => pages && arrange(pages.toReversed()), [pages])
  const messages = useMemo(() => pages?.toReversed().flatMap((page) => page.messages) ?? [], [pages])
  const last = messages.findLast(({ of }) => of === undefined)?.seq ?? 0
  const files = useReplyFiles(pgid, conversation)
  const replies = useReplies(pgid, conversation, last, messages, files.putBack)
  const translations = useTranslations(pgid, conversation, messages, setup?.me)
  const unread = details.data?.unread ?? 0
  useEffect(() => {
    if (unread === 0 || document.visibilityState !== 'visible') return
    void callRoute(seeConversation, { params: { pgid, conversation } })
      .then(() => details.refetch())
      .catch(() => undefined)
  }, [unread, pgid, conversation, details.refetch])
  const [first] = messages
  // a reply that fails grows by its reason
  const atEnd = [items?.length ?? 0, details.data?.status, ...replies.shown.map(({ state }) => state)].join(' ')
  const log = useScrolledToEnd(atEnd, first ? messageKey(first) : '')
  const paper = usePrint(thread, log)
  // a merged one is read where it was merged into: links to it stay right
  const into = details.data?.merged_into
  const show = useRef(place.open)
  show.current = place.open
  useEffect(() => {
    if (into) show.current(into, { replace: true })
  }, [into])
  const error = details.error ?? thread.error

  if (error && !details.data)
    return (
      <section className={styles.thread} aria-label={t('conversation')}>
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{
            label: common('actions.retry'),
            onClick: () => {
              void details.refetch()
              void thread.refetch()
            },
          }}
        />
      </section>
    )
  if (!details.data || !items || !setup)
    return (
      <section className={styles.thread} aria-label={t('conversation')}>
        <LoadingState rows={5} height={52} />
      </section>
    )
  const { data } = details
  return (
    <>
      <section
        className={styles.thread}
        aria-label={t('conversation')}
        data-hidden={showsDetails || undefined}
        data-printed
      >
        <ThreadHeader
          conversation={data}
          setup={setup}
          others={others}
          translations={translations}
          onDetails={() => setShowsDetails(true)}
          onMerge={onMerge}
          onSnooze={onSnooze}
          onPrint={paper.print}
          isPrinting={paper.isPreparing}
        />
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
        <div className={styles.log} ref={log} role="log" aria-label={t('messages')} tabIndex={0}>
          {paper.isStuck && (
            <p className={styles.problem} role="alert">
              {failureText(thread.error, common('errors.message'))}
            </p>
          )}
          {thread.hasNextPage && (
            <Button
              className={styles.loadMore}
              loading={thread.isFetchingNextPage}
              onClick={() => void thread.fetchNextPage()}
            >
              {t('loadMore')}
            </Button>
          )}
          <ThreadItems items={items} conversation={data} setup={setup} replies={replies} translations={translations} />
          {data.status === 'closed' && <p className={styles.ended}>{t('ended')}</p>}
          {translations.problem && (
            <p className={styles.problem} role="alert">
              {translations.problem}
            </p>
          )}
          {others.visitorTypes && <p className={styles.typing}>{t('visitorTypes')}</p>}
        </div>
        {isOut && (
          <p className={styles.out} role="alert">
            {t('out')}
          </p>
        )}
        {mayReply ? (
          <ReplyEditor
            key={replies.taken}
            ref={editor}
            conversation={data}
            setup={setup}
            last={last}
            replies={replies}
            files={files}
            onTyping={sayTyping}
          />
        ) : (
          <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>
        )}
      </section>
      <DetailsPane
        conversation={data}
        setup={setup}
        isShown={showsDetails}
        onClose={() => setShowsDetails(false)}
        onMerge={onMerge}
      />
    </>
  )
}

/** Scrolled to its end when something is added there; what comes in above leaves what is read where it is. */
function useScrolledToEnd(content: string, first: string) {
  const element = useRef<HTMLDivElement>(null)
  const drawn = useRef({ content: '', first: '', height: 0 })
  useLayoutEffect(() => {
    const log = element.current
    if (!log) return
    const before = drawn.current
    drawn.current = { content, first, height: log.scrollHeight }
    if (before.content === content) return
    const wasAtEnd = before.height - log.scrollTop - log.clientHeight < AT_END
    if (before.first !== '' && before.first !== first && before.height > 0) {
      log.scrollTop += log.scrollHeight - before.height
    } else if (before.height === 0 || wasAtEnd) log.scrollTop = log.scrollHeight
  })
  return element
}
