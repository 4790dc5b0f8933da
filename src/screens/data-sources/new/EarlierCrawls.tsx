import { useQuery } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Crawl, CrawlState } from '../../../../server/contracts/crawls'
import { crawlsQuery, useCrawlChanges } from '../../../api/crawls'
import { failureText } from '../../../api/failure'
import type { ChatbotPlace } from '../../../api/sources'
import { formatRecent } from '../../../i18n/format'
import { Badge, type BadgeTone } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { IconButton } from '../../../ui/IconButton'
import styles from './new-source.module.css'

export const crawlTones: Record<CrawlState, BadgeTone> = {
  finding: 'accent',
  found: 'success',
  done: 'neutral',
  stopped: 'warning',
  error: 'danger',
}

/** Earlier crawls; hidden if there are none. */
export function EarlierCrawls({ place, onOpen }: { place: ChatbotPlace; onOpen: (gid: string) => void }) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const { data } = useQuery(crawlsQuery(place))
  const [deleting, setDeleting] = useState<Crawl | null>(null)
  const { remove } = useCrawlChanges(place)
  const close = () => {
    remove.reset()
    setDeleting(null)
  }
  if (!data || data.crawls.length === 0) return null
  return (
    <div className={styles.earlier}>
      <Card flush title={t('crawl.earlier')} description={t('crawl.earlierHint')}>
        <ul className={styles.rows}>
          {data.crawls.map((crawl) => (
            <li key={crawl.gid} className={styles.row}>
              <span className={styles.words}>
                <span className={styles.cut}>{crawl.url}</span>
                <span className={styles.muted}>
                  {t('crawl.pages', { count: crawl.pages.found })} · {formatRecent(crawl.created_at)}
                </span>
              </span>
              <Badge dot tone={crawlTones[crawl.state]}>
                {t(`crawl.${crawl.state}`)}
              </Badge>
              <Button size="s" aria-label={t('crawl.openOne', { url: crawl.url })} onClick={() => onOpen(crawl.gid)}>
                {t('crawl.open')}
              </Button>
              <IconButton
                size="s"
                label={t('crawl.delete', { url: crawl.url })}
                icon={<Trash2 />}
                onClick={() => setDeleting(crawl)}
              />
            </li>
          ))}
        </ul>
      </Card>
      <ConfirmDialog
        opened={deleting !== null}
        danger
        title={t('crawl.deleteTitle')}
        message={t('crawl.deleteMessage', { url: deleting?.url })}
        confirm={common('actions.delete')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={() => deleting && remove.mutate(deleting.gid, { onSuccess: close })}
        onClose={close}
      />
    </div>
  )
}
