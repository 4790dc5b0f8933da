import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Workflow } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams, useSearchParams } from 'react-router'
import { Composer } from '../../answers/Composer'
import { Thread } from '../../answers/Thread'
import { useAsking } from '../../answers/useAsking'
import { chatbotQuery } from '../../api/chatbots'
import { crawlQuery, useCrawlChanges } from '../../api/crawls'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, sourcesQuery, underWay } from '../../api/sources'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import styles from './train.module.css'

/** /train?crawl=…: from a website's address to a chatbot that answers from it, fully automatic. */
export function TrainScreen() {
  const { t } = useTranslation('train')
  const { pgid = '', cgid = '' } = useParams()
  const crawl = useSearchParams()[0].get('crawl') ?? ''
  const place = { pgid, cgid }
  const [ready, setReady] = useState(false)
  const { data: chatbot } = useQuery(chatbotQuery(pgid, cgid))
  const home = `/projects/${pgid}/chatbots/${cgid}`
  return (
    <>
      <PageHeader
        title={chatbot?.name ?? t('title')}
        description={t('description')}
        actions={!ready && <OpenBuilder home={home} />}
      />
      {crawl === '' ? (
        <EmptyState
          icon={<CircleAlert />}
          title={t('none')}
          message={t('noneHint')}
          action={<Button to={`${home}/data-sources/new?kind=link`}>{t('pages')}</Button>}
        />
      ) : (
        <Training key={crawl} place={place} crawl={crawl} onReady={setReady} />
      )}
      {/* what comes next stands after what is done here: one key away from the question */}
      {ready && (
        <p className={styles.next}>
          <OpenBuilder home={home} />
        </p>
      )}
    </>
  )
}

function OpenBuilder({ home }: { home: string }) {
  const { t } = useTranslation('train')
  return (
    <Button icon={<Workflow />} to={`${home}/builder`}>
      {t('builder')}
    </Button>
  )
}

interface TrainingProps {
  place: ChatbotPlace
  crawl: string
  onReady: (ready: boolean) => void
}

function Training({ place, crawl: gid, onReady }: TrainingProps) {
  const { t } = useTranslation('train')
  const { t: common } = useTranslation()
  const found = useInfiniteQuery(crawlQuery(place, gid, { state: 'found', search: '' }))
  const crawl = found.data?.pages[0]?.crawl
  const sources = useQuery({
    ...sourcesQuery(place, { kind: 'link' }, { offset: 0, limit: 1 }),
    // a new source may not be queued yet
    refetchInterval: ({ state }) => (state.data && isOver(state.data) ? false : 1_000),
  })
  const { train } = useCrawlChanges(place)
  const pages = crawl?.pages.found ?? 0
  const begun = sources.data ? sources.data.total > 0 : false
  const { by_status, chunks } = sources.data?.training ?? { by_status: {}, chunks: 0 }
  const open = underWay.reduce((sum, status) => sum + (by_status[status] ?? 0), 0)
  const ready = crawl !== undefined && begun && open === 0 && chunks > 0
  useEffect(() => onReady(ready), [onReady, ready])
  useOnce(crawl !== undefined && crawl.state === 'found' && pages > 0 && sources.data !== undefined && !begun, () =>
    train.mutate({ gid, resync: 'never' }),
  )
  if (!crawl || !sources.data)
    return found.error ? (
      <ErrorCard
        message={failureText(found.error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void found.refetch() }}
      />
    ) : (
      <LoadingState rows={3} height={56} />
    )
  const all = Object.values(by_status).reduce((sum, count) => sum + count, 0)
  const looking = crawl.state === 'finding'
  const failed = !looking && pages === 0 && !begun
  return (
    <div className={styles.stack}>
      <ol className={styles.steps} aria-label={t('progress')}>
        <Step state={failed ? 'failed' : looking ? 'now' : 'done'} title={t('find')}>
          {failed ? (crawl.reason ?? t('nothing')) : t('found', { count: Math.max(pages, all), url: crawl.url })}
        </Step>
        <Step state={ready ? 'done' : begun ? 'now' : train.error ? 'failed' : 'later'} title={t('read')}>
          {train.error
            ? failureText(train.error, common('errors.message'))
            : begun && t('reading', { done: all - open, count: all })}
        </Step>
        <Step state={ready ? 'now' : 'later'} title={t('ask')}>
          {ready && t('askHint')}
        </Step>
      </ol>
      {(failed || train.error) && (
        <p>
          <Button to={`/projects/${place.pgid}/chatbots/${place.cgid}/data-sources/new?kind=link`}>{t('pages')}</Button>
        </p>
      )}
      {ready && <Ask place={place} />}
    </div>
  )
}

const isOver = ({ total, training }: { total: number; training: { status: string } }) =>
  total > 0 && training.status !== 'training'

type StepState = 'later' | 'now' | 'done' | 'failed'

function Step({ state, title, children }: { state: StepState; title: string; children?: ReactNode }) {
  const { t } = useTranslation('train')
  return (
    <li className={styles.step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
      <span className={styles.mark} role="img" aria-label={t(`state.${state}`)}>
        {state === 'done' && <Check size={13} />}
        {state === 'failed' && <CircleAlert size={14} />}
      </span>
      <span className={styles.words}>
        <span className={styles.title}>{title}</span>
        <span className={styles.about} role={state === 'now' ? 'status' : undefined}>
          {children}
        </span>
      </span>
    </li>
  )
}

/** A chat with the chatbot itself. */
function Ask({ place: { pgid, cgid } }: { place: ChatbotPlace }) {
  const { t } = useTranslation('train')
  const { t: answers } = useTranslation('answers')
  const asking = useAsking(pgid, cgid, answers('noAnswer'))
  const input = useRef<HTMLTextAreaElement>(null)
  useEffect(() => input.current?.focus(), [])
  return (
    <section className={styles.chat} aria-label={t('chat')}>
      <Thread
        label={t('conversation')}
        exchanges={asking.exchanges}
        empty={<p className={styles.empty}>{t('chatEmpty')}</p>}
        onRetry={(id) => asking.retry(id)}
        onChoose={(suggestion) => asking.choose(suggestion)}
      />
      <Composer
        inputRef={input}
        placeholder={t('placeholder')}
        writing={asking.writing}
        onAsk={(question) => asking.ask(question)}
        onStop={asking.stop}
      />
    </section>
  )
}

/** Runs something once, when it is due for the first time. */
function useOnce(due: boolean, act: () => void) {
  const done = useRef(false)
  useEffect(() => {
    if (!due || done.current) return
    done.current = true
    act()
  })
}
