import { useInfiniteQuery } from '@tanstack/react-query'
import {
  AtSign,
  BellRing,
  Hourglass,
  type LucideIcon,
  MessageCircle,
  MessageCirclePlus,
  Settings,
  UserRound,
} from 'lucide-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { NotificationEntry, NotificationKind } from '../../server/contracts/personalNotifications'
import { failureText } from '../api/failure'
import { myNotificationsQuery, useSeeNotifications } from '../api/personalNotifications'
import { formatSince } from '../i18n/format'
import { Button } from '../ui/Button'
import { ErrorCard } from '../ui/ErrorCard'
import { LoadingState } from '../ui/LoadingState'
import { useNewsStore } from './notificationNews'
import styles from './notifications.module.css'
import { sentenceOf } from './sentenceOf'

const icons: Record<NotificationKind, LucideIcon> = {
  waiting: Hourglass,
  handed_over: BellRing,
  assigned: MessageCircle,
  mentioned: AtSign,
  new_conversation: MessageCirclePlus,
  new_contact: UserRound,
}

/** The account's notifications in a project, each leading to what it is about. */
export default function NotificationList({ pgid, onLeave }: { pgid: string; onLeave: () => void }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const query = useInfiniteQuery(myNotificationsQuery(pgid))
  const see = useSeeNotifications(pgid)
  const { unseen, newest } = useNewsStore()
  const { refetch } = query
  // what came while the list is open stands in it
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store says when
  useEffect(() => void refetch(), [newest, refetch])
  const entries = query.data?.pages.flatMap(({ notifications }) => notifications) ?? []
  return (
    <section className={styles.list} aria-label={t('list.title')}>
      <header className={styles.head}>
        <h2>{t('list.title')}</h2>
        {unseen > 0 && entries[0] && (
          <Button size="s" design="ghost" onClick={() => see.mutate({ up_to: entries[0]?.id ?? '' })}>
            {t('list.seeAll')}
          </Button>
        )}
        <Link
          className={styles.settings}
          to={`/projects/${pgid}/notification-settings`}
          aria-label={t('list.settings')}
          onClick={onLeave}
        >
          <Settings size={16} />
        </Link>
      </header>
      {query.error && entries.length === 0 ? (
        <ErrorCard
          message={failureText(query.error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : query.isPending ? (
        <LoadingState rows={3} height={48} />
      ) : entries.length === 0 ? (
        <p className={styles.none}>{t('list.none')}</p>
      ) : (
        <ul className={styles.entries}>
          {entries.map((entry) => (
            <Entry
              key={entry.id}
              pgid={pgid}
              entry={entry}
              onOpen={() => {
                if (!entry.seen) see.mutate({ id: entry.id })
                onLeave()
              }}
            />
          ))}
          {query.hasNextPage && (
            <li className={styles.more}>
              <Button size="s" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                {t('list.more')}
              </Button>
            </li>
          )}
        </ul>
      )}
    </section>
  )
}

function Entry({ pgid, entry, onOpen }: { pgid: string; entry: NotificationEntry; onOpen: () => void }) {
  const { t } = useTranslation('notifications')
  const Icon = icons[entry.kind]
  return (
    <li>
      <Link className={styles.entry} data-new={!entry.seen || undefined} to={addressOf(pgid, entry)} onClick={onOpen}>
        <Icon size={16} className={styles.icon} />
        <span className={styles.text}>
          {sentenceOf(t, entry)}
          <span className={styles.where}>
            {entry.chatbot && `${entry.chatbot.name} · `}
            <time dateTime={entry.at}>{formatSince(entry.at)}</time>
          </span>
        </span>
        {!entry.seen && (
          <span className={styles.dot}>
            <span className={styles.hidden}>{t('list.new')}</span>
          </span>
        )}
      </Link>
    </li>
  )
}

/** The screen that a notification is about. */
function addressOf(pgid: string, { chatbot, conversation }: NotificationEntry): string {
  const home = `/projects/${pgid}`
  if (!chatbot) return home
  return `${home}/chatbots/${chatbot.gid}/${conversation ? `conversations/${conversation}` : 'leads'}`
}
