import { useQuery, useQueryClient } from '@tanstack/react-query'
import { RefreshCw, Rss, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Feed, FeedState } from '../../../server/contracts/feeds'
import { type Resync, resyncs } from '../../../server/contracts/sources'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { feedsQuery, useFeedChanges } from '../../api/feeds'
import type { ChatbotPlace } from '../../api/sources'
import { formatRecent } from '../../i18n/format'
import { Badge, type BadgeTone } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { IconButton } from '../../ui/IconButton'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { feedName } from './feedName'
import styles from './feeds.module.css'
import { StopFollowing } from './StopFollowing'

const tones: Record<FeedState, BadgeTone> = { reading: 'accent', ready: 'success', error: 'danger' }

/** The feeds and Help Centers that the chatbot follows; hidden if there are none. */
export function Feeds({ place }: { place: ChatbotPlace }) {
  const { t } = useTranslation('sources')
  const { data } = useQuery(feedsQuery(place))
  const [ending, setEnding] = useState<Feed | null>(null)
  const queries = useQueryClient()
  const { pgid, cgid } = place
  const reading = data?.feeds.filter(({ state }) => state === 'reading').length ?? 0
  const before = useRef(reading)
  // what a reading has brought stands in the list of sources
  useEffect(() => {
    if (reading < before.current) void queries.invalidateQueries({ queryKey: ['sources', pgid, cgid] })
    before.current = reading
  }, [reading, queries, pgid, cgid])
  if (!data || data.feeds.length === 0) return null
  return (
    <>
      <Card flush title={t('feeds.title')} description={t('feeds.description')}>
        <ul className={styles.list} aria-label={t('feeds.title')}>
          {data.feeds.map((feed) => (
            <Row key={feed.gid} place={place} feed={feed} onEnd={() => setEnding(feed)} />
          ))}
        </ul>
      </Card>
      {ending && <StopFollowing place={place} feed={ending} onClose={() => setEnding(null)} />}
    </>
  )
}

function Row({ place, feed, onEnd }: { place: ChatbotPlace; feed: Feed; onEnd: () => void }) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { update, read } = useFeedChanges(place)
  const mayRead = useCan('knowledge_base.resync')
  const mayEnd = useCan('knowledge_base.delete')
  const name = feedName(feed)
  const onError = (error: Error) => notify.error(failureText(error, common('errors.message')))
  return (
    <li className={styles.row}>
      <Rss className={styles.icon} size={15} aria-hidden />
      <span className={styles.words}>
        <span className={styles.name}>{name}</span>
        <span className={styles.about}>
          {t(`feeds.kind.${feed.kind}`)} · {t('feeds.sources', { count: feed.sources })}
          {feed.read_at !== null && ` · ${t('feeds.read', { when: formatRecent(feed.read_at) })}`}
          {feed.found !== null
            ? ` · ${t('feeds.found', { count: feed.found })}`
            : feed.next_read_at !== null && ` · ${t('feeds.next', { when: formatRecent(feed.next_read_at) })}`}
        </span>
        {feed.left_out > 0 && (
          <span className={styles.about}>
            <span>{t('feeds.leftOut', { count: feed.left_out })}</span>{' '}
            {mayRead && (
              <Button
                size="s"
                design="ghost"
                aria-label={t('feeds.addBackOf', { name })}
                loading={update.isPending}
                onClick={() =>
                  update.mutate(
                    { gid: feed.gid, left_out: 0 },
                    { onSuccess: () => notify.success(t('feeds.addedBack')), onError },
                  )
                }
              >
                {t('feeds.addBack')}
              </Button>
            )}
          </span>
        )}
        {feed.reason !== null && (
          <span className={styles.reason} data-tone={feed.state === 'error' ? 'danger' : undefined}>
            {feed.reason}
          </span>
        )}
      </span>
      <Badge dot tone={tones[feed.state]}>
        {t(`feeds.state.${feed.state}`)}
      </Badge>
      {mayRead ? (
        <Select
          className={styles.often}
          aria-label={t('feeds.often', { name })}
          value={feed.resync}
          disabled={update.isPending}
          data={resyncs.map((resync) => ({ value: resync, label: t(`resync.${resync}`) }))}
          onChange={(chosen) =>
            update.mutate(
              { gid: feed.gid, resync: (chosen ?? 'never') as Resync },
              { onSuccess: () => notify.success(t('resynced')), onError },
            )
          }
        />
      ) : (
        <span className={styles.about}>{t(`resync.${feed.resync}`)}</span>
      )}
      {mayRead && (
        <IconButton
          label={t('feeds.readNow', { name })}
          icon={<RefreshCw />}
          disabled={feed.state === 'reading' || read.isPending}
          onClick={() => read.mutate(feed.gid, { onError })}
        />
      )}
      {mayEnd && <IconButton label={t('feeds.end', { name })} icon={<Trash2 />} onClick={onEnd} />}
    </li>
  )
}
