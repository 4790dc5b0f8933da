import { useQuery } from '@tanstack/react-query'
import { CheckCheck, Ellipsis, Eye, EyeOff, MessagesSquare, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CommentThread } from '../../../../server/contracts/comments'
import { threadsQuery, useCommentChanges } from '../../../api/comments'
import { failureText } from '../../../api/failure'
import { useProjection } from '../../../canvas/context'
import { usePlaceName } from '../../../comments/placeName'
import { useCommentState, useComments, useThreads } from '../../../comments/useComments'
import { useShowThread } from '../../../comments/useShowThread'
import { formatMoment, formatRecent } from '../../../i18n/format'
import { Avatar } from '../../../ui/Avatar'
import { EmptyState } from '../../../ui/EmptyState'
import { ErrorCard } from '../../../ui/ErrorCard'
import { IconButton } from '../../../ui/IconButton'
import { LoadingState } from '../../../ui/LoadingState'
import { Menu, MenuEntry } from '../../../ui/Menu'
import { notify } from '../../../ui/notify'
import { TextField } from '../../../ui/TextField'
import styles from './CommentsPanel.module.css'
import { PanelHeader } from './PanelHeader'

const filters = ['open', 'resolved', 'unread', 'mentions'] as const
type Filter = (typeof filters)[number]

const fits: Record<Filter, (thread: CommentThread) => boolean> = {
  open: ({ resolved }) => resolved === null,
  resolved: ({ resolved }) => resolved !== null,
  unread: ({ unread }) => unread > 0,
  mentions: ({ mentions_me }) => mentions_me,
}

/** The threads of the open flow, newest comment first: a click shows the pin and opens the thread. */
export function CommentsPanel({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('comments')
  const { flow, mayWrite } = useComments()
  const [typed, setTyped] = useState('')
  const search = useDeferredValue(typed.trim())
  const [filter, setFilter] = useState<Filter>('open')
  const threads = useQuery({
    ...threadsQuery(flow, search),
    // previous results stay visible while typing
    placeholderData: (before) => before,
  })
  const all = threads.data
  const list = all?.filter(fits[filter]) ?? []
  return (
    <>
      <PanelHeader title={t('panel.title')} close={t('panel.close')} onClose={onClose} actions={<More />}>
        <TextField
          aria-label={t('panel.search')}
          placeholder={t('panel.search')}
          leftSection={<Search size={14} aria-hidden />}
          maxLength={200}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <fieldset className={styles.filters} aria-label={t('panel.filter')}>
          {filters.map((one) => (
            <button
              key={one}
              type="button"
              className={styles.filter}
              aria-pressed={filter === one}
              onClick={() => setFilter(one)}
            >
              {t(`panel.${one}`)}
            </button>
          ))}
        </fieldset>
      </PanelHeader>
      <div className={styles.body}>
        {threads.isPending && <LoadingState rows={4} height={52} />}
        {threads.isError && !all && (
          <ErrorCard
            message={failureText(threads.error, t('loadFailed'))}
            action={{ label: t('again'), onClick: () => void threads.refetch() }}
          />
        )}
        {all && list.length === 0 && (
          <Nothing filter={filter} search={search} mayWrite={mayWrite} any={all.length > 0} />
        )}
        <ul className={styles.list}>
          {list.map((thread) => (
            <Row key={thread.gid} thread={thread} />
          ))}
        </ul>
      </div>
    </>
  )
}

function More() {
  const { t } = useTranslation('comments')
  const { flow, store } = useComments()
  const { markAllRead } = useCommentChanges(flow)
  const unread = useThreads().some((thread) => thread.unread > 0)
  const showResolved = useCommentState((state) => state.showResolved)
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <IconButton size="s" label={t('panel.more')} icon={<Ellipsis size={15} />} />
      </Menu.Target>
      <Menu.Dropdown>
        <MenuEntry
          leftSection={<CheckCheck size={14} />}
          disabled={!unread}
          onClick={() =>
            markAllRead.mutate(undefined, {
              onError: (error) => notify.error(failureText(error, t('panel.markFailed'))),
            })
          }
        >
          {t('panel.markAll')}
        </MenuEntry>
        <MenuEntry
          leftSection={showResolved ? <EyeOff size={14} /> : <Eye size={14} />}
          onClick={() => store.setState({ showResolved: !showResolved })}
        >
          {t(showResolved ? 'panel.hideResolved' : 'panel.showResolved')}
        </MenuEntry>
      </Menu.Dropdown>
    </Menu>
  )
}

function Nothing({
  filter,
  search,
  mayWrite,
  any,
}: {
  filter: Filter
  search: string
  mayWrite: boolean
  any: boolean
}) {
  const { t } = useTranslation('comments')
  const icon = <MessagesSquare size={20} />
  if (search !== '') return <EmptyState icon={icon} title={t('panel.nothingFound')} />
  if (!any) {
    const hint = matchMedia('(pointer: coarse)').matches ? 'panel.noneHintTouch' : 'panel.noneHint'
    return <EmptyState icon={icon} title={t('panel.none')} message={t(mayWrite ? hint : 'panel.noneHintReader')} />
  }
  return <EmptyState icon={icon} title={t('panel.nothing')} message={t(`panel.nothingHint.${filter}`)} />
}

function Row({ thread }: { thread: CommentThread }) {
  const { t } = useTranslation('comments')
  const show = useShowThread()
  const nameOf = usePlaceName()
  const open = useCommentState((state) => state.open === thread.gid)
  // updated when the flow changes
  const place = useProjection(() => nameOf(thread.anchor))
  const { first, latest } = thread
  const replies = thread.comments - 1
  return (
    <li>
      <button type="button" className={styles.row} aria-current={open || undefined} onClick={() => show(thread)}>
        <Avatar name={first.by.name} color={first.by.color} size={24} />
        <span className={styles.main}>
          <span className={styles.top}>
            <strong>{first.by.name}</strong>
            <time className={styles.quiet} dateTime={latest.at} title={formatMoment(latest.at)}>
              {formatRecent(latest.at)}
            </time>
            {thread.unread > 0 && <span className={styles.dot} role="img" aria-label={t('panel.unreadMark')} />}
          </span>
          <span className={styles.text}>{first.text || t('deleted')}</span>
          {replies > 0 && (
            <span className={styles.quiet} data-latest>
              {t('panel.latest', { name: latest.by.name, text: latest.text })}
            </span>
          )}
          <span className={styles.quiet}>
            {[
              place ?? thread.place,
              place === null && t(thread.anchor.kind === 'group' ? 'place.groupDeleted' : 'place.blockDeleted'),
              replies > 0 && t('panel.replies', { count: replies }),
              thread.resolved && t('card.resolvedBy', { name: thread.resolved.by.name }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      </button>
    </li>
  )
}
