import { useQuery } from '@tanstack/react-query'
import { Bell, BellOff, CircleCheck, Ellipsis, Link2, RotateCcw, X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Anchor, CommentThread, OpenThread } from '../../server/contracts/comments'
import { threadQuery, useCommentChanges } from '../api/comments'
import { ApiFailure, failureText } from '../api/failure'
import { useEditor } from '../canvas/context'
import { announce } from '../canvas/keyboard/announce'
import { ErrorCard } from '../ui/ErrorCard'
import { IconButton } from '../ui/IconButton'
import { LoadingState } from '../ui/LoadingState'
import { Menu, MenuEntry } from '../ui/Menu'
import { notify } from '../ui/notify'
import { anchorKey } from './anchors'
import { CardFrame } from './CardFrame'
import { CommentItem } from './CommentItem'
import { Composer } from './Composer'
import { setDraft } from './commentStore'
import { usePlaceName } from './placeName'
import styles from './ThreadCard.module.css'
import { useCommentState, useComments, useThreads } from './useComments'

/** The card of the open thread, or of a new one. */
export function ThreadCard() {
  const open = useCommentState((state) => state.open)
  if (open === null) return null
  if (typeof open === 'string') return <OneThread key={open} gid={open} />
  return <NewThread key={anchorKey(open.anchor)} {...open} />
}

function OneThread({ gid }: { gid: string }) {
  const { t } = useTranslation('comments')
  const { flow, store } = useComments()
  const thread = useQuery(threadQuery(flow, gid))
  // shows the list's data until the thread is loaded
  const listed = useThreads().find((one) => one.gid === gid)
  const known = thread.data?.thread ?? listed
  const gone = thread.error instanceof ApiFailure && thread.error.status === 404
  const close = () => store.setState({ open: null })
  const nameOf = usePlaceName()
  useEffect(() => {
    if (!gone) return
    notify.neutral(t('gone'))
    store.setState({ open: null })
  }, [gone, store, t])
  if (gone) return null
  const now = known && nameOf(known.anchor)
  const place = known ? (now ?? (known.place || t('place.somewhere'))) : ''
  return (
    <CardFrame label={t('card.label', { place })} anchor={known?.anchor ?? NOWHERE} onClose={close}>
      {thread.data ? (
        <>
          <Head thread={listed ?? thread.data.thread} place={place} deleted={now === null} onClose={close} />
          <Said open={thread.data} onGone={close} />
          <Reply open={thread.data} />
        </>
      ) : (
        <>
          <header className={styles.head}>
            <h2>{place}</h2>
            <IconButton size="s" label={t('card.close')} icon={<X size={15} />} tooltip={false} onClick={close} />
          </header>
          {thread.isError ? (
            <ErrorCard
              message={failureText(thread.error, t('loadFailed'))}
              action={{ label: t('again'), onClick: () => void thread.refetch() }}
            />
          ) : (
            <LoadingState rows={2} />
          )}
        </>
      )}
    </CardFrame>
  )
}

/** For an unknown thread: the card is in the corner meanwhile. */
const NOWHERE: Anchor = { kind: 'group', id: '' }

interface HeadProps {
  /** the list's summary, which is also reloaded while the card is closed */
  thread: CommentThread
  place: string
  deleted: boolean
  onClose: () => void
}

function Head({ thread, place, deleted, onClose }: HeadProps) {
  const { t } = useTranslation('comments')
  const { flow, mayWrite } = useComments()
  const { store } = useEditor()
  const { settle, mute } = useCommentChanges(flow)
  const { gid, resolved, muted, anchor } = thread
  const toggle = () =>
    !settle.isPending &&
    settle.mutate(
      { gid, resolved: resolved === null },
      {
        onSuccess: () => announce(store, t(resolved ? 'card.reopened' : 'card.resolvedNow')),
        onError: (error) => notify.error(failureText(error, t('card.failed'))),
      },
    )
  const copyLink = () => {
    const url = new URL(window.location.href)
    url.searchParams.set('thread', gid)
    navigator.clipboard?.writeText(url.href).then(
      () => notify.success(t('card.copied')),
      () => notify.neutral(url.href),
    ) ?? notify.neutral(url.href)
  }
  return (
    <header className={styles.head}>
      <div className={styles.place}>
        <h2>{place}</h2>
        {deleted && (
          <p className={styles.quiet}>{t(anchor.kind === 'group' ? 'place.groupDeleted' : 'place.blockDeleted')}</p>
        )}
        {resolved && <p className={styles.quiet}>{t('card.resolvedBy', { name: resolved.by.name })}</p>}
      </div>
      {mayWrite && (
        <IconButton
          size="s"
          label={t(resolved ? 'card.reopen' : 'card.resolve')}
          icon={resolved ? <RotateCcw size={15} /> : <CircleCheck size={15} />}
          onClick={toggle}
        />
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <IconButton size="s" label={t('card.more')} icon={<Ellipsis size={15} />} tooltip={false} />
        </Menu.Target>
        <Menu.Dropdown>
          <MenuEntry leftSection={<Link2 size={14} />} onClick={copyLink}>
            {t('card.copyLink')}
          </MenuEntry>
          <MenuEntry
            leftSection={muted ? <Bell size={14} /> : <BellOff size={14} />}
            onClick={() =>
              mute.mutate(
                { gid, muted: !muted },
                {
                  onSuccess: () => notify.success(t(muted ? 'card.unmuted' : 'card.muted')),
                  onError: (error) => notify.error(failureText(error, t('card.failed'))),
                },
              )
            }
          >
            {t(muted ? 'card.unmute' : 'card.mute')}
          </MenuEntry>
        </Menu.Dropdown>
      </Menu>
      <IconButton size="s" label={t('card.close')} icon={<X size={15} />} tooltip={false} onClick={onClose} />
    </header>
  )
}

function Said({ open, onGone }: { open: OpenThread; onGone: () => void }) {
  const { t } = useTranslation('comments')
  const list = useRef<HTMLOListElement>(null)
  const last = open.comments.at(-1)?.gid
  useMarkRead(open)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said last is shown
  useEffect(() => {
    const element = list.current
    if (element) element.scrollTop = element.scrollHeight
  }, [last])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long thread is scrolled by keys too
    <ol ref={list} className={styles.thread} aria-label={t('card.comments')} tabIndex={0}>
      {open.comments.map((comment) => (
        <CommentItem
          key={comment.gid}
          comment={comment}
          mentioned={open.mentioned}
          moderates={open.moderates}
          onGone={onGone}
        />
      ))}
    </ol>
  )
}

/** Marks what is visible as read, while the page is visible. */
function useMarkRead({ thread, comments }: OpenThread): void {
  const { flow } = useComments()
  const { mutate } = useCommentChanges(flow).markRead
  const through = comments.at(-1)?.gid
  const unread = thread.unread > 0
  useEffect(() => {
    if (!unread || through === undefined) return
    const mark = () => document.visibilityState === 'visible' && mutate({ gid: thread.gid, through })
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [unread, through, thread.gid, mutate])
}

function Reply({ open: { thread, mentioned } }: { open: OpenThread }) {
  const { t } = useTranslation('comments')
  const { flow, store, mayWrite } = useComments()
  const { reply } = useCommentChanges(flow)
  const nextId = useSendingId()
  const text = useCommentState(({ drafts }) => drafts.get(thread.gid) ?? '')
  if (!mayWrite) return <p className={styles.readers}>{t('readers')}</p>
  return (
    <div className={styles.reply}>
      <Composer
        label={t('reply.label')}
        placeholder={t(thread.resolved ? 'reply.reopens' : 'reply.placeholder')}
        text={text}
        known={mentioned.flatMap(({ gid, name }) => (gid ? [{ gid, name }] : []))}
        onText={(next) => setDraft(store, thread.gid, next)}
        onSend={(body) =>
          reply
            .mutateAsync({ gid: thread.gid, body, client_id: nextId(body) })
            .then(() => setDraft(store, thread.gid, ''))
        }
      />
    </div>
  )
}

function NewThread({ anchor, place }: { anchor: Anchor; place: string }) {
  const { t } = useTranslation('comments')
  const { flow, store } = useComments()
  const { begin } = useCommentChanges(flow)
  const nextId = useSendingId()
  const key = `new ${anchorKey(anchor)}`
  const text = useCommentState(({ drafts }) => drafts.get(key) ?? '')
  const close = () => store.setState({ open: null })
  const name = usePlaceName()(anchor) ?? place
  return (
    <CardFrame label={t('new.label', { place: name })} anchor={anchor} onClose={close}>
      <header className={styles.head}>
        <h2>{name}</h2>
        <IconButton size="s" label={t('card.close')} icon={<X size={15} />} tooltip={false} onClick={close} />
      </header>
      <div className={styles.reply}>
        <Composer
          label={t('new.write')}
          placeholder={t('new.placeholder')}
          text={text}
          action={t('new.send')}
          onText={(next) => setDraft(store, key, next)}
          onSend={(body) =>
            begin.mutateAsync({ anchor, place, body, client_id: nextId(body) }).then(({ thread }) => {
              setDraft(store, key, '')
              store.setState({ open: thread })
            })
          }
        />
      </div>
    </CardFrame>
  )
}

/**
 * An id that is the same for the same text, so that sending it again after a lost response creates no second comment.
 */
function useSendingId(): (body: string) => string {
  const { newId } = useEditor()
  const last = useRef<{ body: string; id: string }>(null)
  return (body) => {
    if (last.current?.body !== body) last.current = { body, id: newId() }
    return last.current.id
  }
}
