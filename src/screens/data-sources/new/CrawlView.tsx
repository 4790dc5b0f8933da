import { useInfiniteQuery } from '@tanstack/react-query'
import { ArrowLeft, Square } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Crawl, PageState } from '../../../../server/contracts/crawls'
import type { Resync } from '../../../../server/contracts/sources'
import { crawlQuery, useCrawlChanges } from '../../../api/crawls'
import { failureText } from '../../../api/failure'
import type { ChatbotPlace } from '../../../api/sources'
import { formatNumber } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { notify } from '../../../ui/notify'
import { Meter } from '../Meter'
import { CrawlPages } from './CrawlPages'
import { crawlTones } from './EarlierCrawls'
import styles from './new-source.module.css'
import { choiceOf, countChosen, type PageChoice } from './pageChoice'
import { ResyncField } from './ResyncField'

interface CrawlViewProps {
  place: ChatbotPlace
  gid: string
  onBack: () => void
  onDone: () => void
}

/** A crawl: its progress, its results, and the choice of pages to train. */
export function CrawlView({ place, gid, onBack, onDone }: CrawlViewProps) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const [state, setState] = useState<Exclude<PageState, 'waiting'>>('found')
  const [search, setSearch] = useState('')
  const [choice, setChoice] = useState<PageChoice>(choiceOf('all'))
  const [resync, setResync] = useState<Resync>('never')
  const [tried, setTried] = useState(false)
  const pages = useInfiniteQuery(crawlQuery(place, gid, { state, search }))
  // its header is independent of the shown pages
  const head = useInfiniteQuery(crawlQuery(place, gid, { state: 'found', search: '' }))
  const { train } = useCrawlChanges(place)
  const crawl = head.data?.pages[0]?.crawl
  const back = (
    <Button design="ghost" icon={<ArrowLeft />} onClick={onBack}>
      {t('crawl.another')}
    </Button>
  )
  if (!crawl)
    return head.error ? (
      <ErrorCard
        message={failureText(head.error, common('errors.message'))}
        action={{ label: t('crawl.another'), onClick: onBack }}
      />
    ) : (
      <LoadingState rows={4} height={44} />
    )
  const chosen = countChosen(choice, crawl.pages.found)
  const submit = () => {
    setTried(true)
    if (chosen === 0) return
    const urls = [...choice.urls]
    train.mutate(
      { gid, resync, ...(choice.mode === 'all' ? { except: urls } : { only: urls }) },
      {
        onSuccess: ({ added }) => {
          notify.success(t('crawl.trained', { count: added }))
          onDone()
        },
      },
    )
  }
  return (
    <div className={styles.stack}>
      <div>{back}</div>
      <Progress place={place} crawl={crawl} />
      <CrawlPages
        crawl={crawl}
        state={state}
        onState={setState}
        onSearch={setSearch}
        search={search}
        pages={pages}
        choice={choice}
        onChoice={(changed) => {
          setTried(false)
          setChoice(changed)
        }}
      />
      {crawl.state !== 'finding' && crawl.pages.found > 0 && (
        <Card
          footer={
            <>
              {tried && chosen === 0 && (
                <p role="alert" className={styles.problem}>
                  {t('crawl.nothing')}
                </p>
              )}
              {train.error && (
                <p role="alert" className={styles.problem}>
                  {failureText(train.error, common('errors.message'))}
                </p>
              )}
              <Button design="primary" loading={train.isPending} onClick={submit}>
                {t('crawl.train', { count: chosen })}
              </Button>
            </>
          }
        >
          <ResyncField value={resync} onChange={setResync} />
        </Card>
      )}
    </div>
  )
}

function Progress({ place, crawl }: { place: ChatbotPlace; crawl: Crawl }) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const { stop } = useCrawlChanges(place)
  const { found, waiting, left_out, failed } = crawl.pages
  const looked = found + left_out + failed
  return (
    <Card>
      <div className={styles.progress} role="status">
        <div className={styles.words}>
          <strong className={styles.cut}>{crawl.url}</strong>
          <Badge dot tone={crawlTones[crawl.state]}>
            {t(`crawl.${crawl.state}`)}
          </Badge>
          <span className={styles.muted}>
            {t(crawl.state === 'finding' ? 'crawl.countsSoFar' : 'crawl.counts', {
              found: formatNumber(found),
              waiting: formatNumber(waiting),
              left_out: formatNumber(left_out),
              failed: formatNumber(failed),
            })}
          </span>
        </div>
        {crawl.state === 'finding' && (
          <Button
            size="s"
            icon={<Square />}
            loading={stop.isPending}
            onClick={() =>
              stop.mutate(crawl.gid, {
                onError: (error) => notify.error(failureText(error, common('errors.message'))),
              })
            }
          >
            {t('crawl.stop')}
          </Button>
        )}
      </div>
      {crawl.state === 'finding' && (
        <Meter label={t('crawl.progress')} value={looked} max={Math.min(crawl.max_pages, looked + waiting) || 1} />
      )}
      {crawl.reason && (
        <p className={styles.reason} data-tone={crawl.state === 'error' ? 'danger' : undefined}>
          {crawl.reason}
        </p>
      )}
    </Card>
  )
}
