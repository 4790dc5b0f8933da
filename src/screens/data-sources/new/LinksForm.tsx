import { Cloud, GitBranch, Globe, LifeBuoy, Link as LinkIcon, Network, Rss } from 'lucide-react'
import { type SubmitEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { type CrawlMode, crawlCaps } from '../../../../server/contracts/crawls'
import { type FeedKind, feedKinds } from '../../../../server/contracts/feeds'
import type { Resync } from '../../../../server/contracts/sources'
import { GeneralProblem } from '../../../answers/GeneralProblem'
import { linesOf, listProblems } from '../../../answers/lines'
import { useCrawlChanges } from '../../../api/crawls'
import { failureText, fieldsOf } from '../../../api/failure'
import { useAddSources } from '../../../api/sources'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { Choice, Choices } from '../../../ui/Choices'
import { notify } from '../../../ui/notify'
import { TextArea } from '../../../ui/TextArea'
import { TextField } from '../../../ui/TextField'
import { CrawlView } from './CrawlView'
import { EarlierCrawls } from './EarlierCrawls'
import { FeedForm } from './FeedForm'
import { type NewSourceProps, wholeWrong } from './form'
import { GitForm } from './GitForm'
import styles from './new-source.module.css'
import { ResyncField } from './ResyncField'
import { SalesforceForm } from './SalesforceForm'

/** Web pages: single addresses, a crawl from an address or a sitemap, or a list that is followed. */
export function LinksForm(props: NewSourceProps) {
  const [params, setParams] = useSearchParams()
  const crawl = params.get('crawl')
  const open = (gid: string | null) => setParams(gid ? { kind: 'link', crawl: gid } : { kind: 'link' })
  return (
    <>
      {/* stays mounted while a crawl is shown, with what was entered */}
      <div hidden={crawl !== null}>
        <WebPages {...props} onStarted={open} />
        {crawl === null && <EarlierCrawls place={props.place} onOpen={open} />}
      </div>
      {crawl !== null && (
        <CrawlView key={crawl} place={props.place} gid={crawl} onBack={() => open(null)} onDone={props.onDone} />
      )}
    </>
  )
}

type Mode = 'pages' | Exclude<CrawlMode, 'page'>
type OrderProps = NewSourceProps & { onStarted: (gid: string) => void }

function WebPages(props: OrderProps) {
  const { t } = useTranslation('newSource')
  const [params] = useSearchParams()
  // who comes back from a vendor goes on where they were
  const [mode, setMode] = useState<Mode | FeedKind>(feedKinds.find((each) => each === params.get('follow')) ?? 'pages')
  return (
    <div className={styles.stack}>
      <Choices<Mode | FeedKind> label={t('links.mode')} value={mode} onChange={setMode}>
        <Choice value="pages" icon={<LinkIcon />} title={t('links.pages')} description={t('links.pagesHint')} />
        <Choice value="crawl" icon={<Globe />} title={t('links.crawl')} description={t('links.crawlHint')} />
        <Choice value="sitemap" icon={<Network />} title={t('links.sitemap')} description={t('links.sitemapHint')} />
        <Choice value="feed" icon={<Rss />} title={t('feed.feed.title')} description={t('feed.feed.hint')} />
        <Choice
          value="help_center"
          icon={<LifeBuoy />}
          title={t('feed.help_center.title')}
          description={t('feed.help_center.hint')}
        />
        <Choice
          value="salesforce"
          icon={<Cloud />}
          title={t('feed.salesforce.title')}
          description={t('feed.salesforce.hint')}
        />
        <Choice value="git" icon={<GitBranch />} title={t('feed.git.title')} description={t('feed.git.hint')} />
      </Choices>
      {mode === 'feed' || mode === 'help_center' ? (
        <FeedForm key={mode} kind={mode} {...props} />
      ) : mode === 'salesforce' ? (
        <SalesforceForm {...props} />
      ) : mode === 'git' ? (
        <GitForm {...props} />
      ) : (
        <Order mode={mode} {...props} />
      )}
    </div>
  )
}

interface Draft {
  addresses: string
  resync: Resync
  url: string
  depth: string
  most: string
  include: string
  exclude: string
}

const fresh: Draft = {
  addresses: '',
  resync: 'never',
  url: '',
  depth: '3',
  most: '500',
  include: '',
  exclude: '',
}

function Order({ mode, place, onUnsaved, onDone, onStarted }: OrderProps & { mode: Mode }) {
  const { t } = useTranslation('newSource')
  const [draft, setDraft] = useState(fresh)
  const [tried, setTried] = useState(false)
  const { links } = useAddSources(place)
  const { start } = useCrawlChanges(place)
  const { addresses, url, depth, most } = draft
  const dirty = addresses.trim() !== '' || url.trim() !== ''
  useEffect(() => onUnsaved(dirty), [dirty, onUnsaved])
  const change = (part: Partial<Draft>) => {
    setTried(false)
    links.reset()
    start.reset()
    setDraft((before) => ({ ...before, ...part }))
  }
  const urls = linesOf(addresses)
  const depthWrong = mode === 'crawl' && wholeWrong(depth, 0, crawlCaps.depth)
  const mostWrong = wholeWrong(most, 1, crawlCaps.pages)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (mode === 'pages') {
      if (urls.length === 0) return
      links.mutate(
        { urls, resync: draft.resync },
        {
          onSuccess: ({ sources }) => {
            notify.success(t('links.adding', { count: sources.length }))
            onUnsaved(false)
            onDone()
          },
        },
      )
    } else if (url.trim() !== '' && !depthWrong && !mostWrong) {
      const order = {
        mode,
        url: url.trim(),
        depth: Number(depth),
        max_pages: Number(most),
        include: linesOf(draft.include),
        exclude: linesOf(draft.exclude),
      }
      start.mutate(order, {
        onSuccess: ({ crawl }) => {
          onUnsaved(false)
          onStarted(crawl.gid)
        },
      })
    }
  }
  return (
    <form onSubmit={submit} className={styles.stack} noValidate>
      <Card
        footer={
          <Button type="submit" design="primary" loading={links.isPending || start.isPending}>
            {mode === 'pages' ? t('links.add') : t('links.find')}
          </Button>
        }
      >
        <div className={styles.fields}>
          {mode === 'pages' ? (
            <Pages draft={draft} tried={tried} error={links.error} onChange={change} />
          ) : (
            <Search mode={mode} draft={draft} tried={tried} error={start.error} onChange={change} />
          )}
        </div>
      </Card>
    </form>
  )
}

interface PartProps {
  draft: Draft
  tried: boolean
  error: Error | null
  onChange: (part: Partial<Draft>) => void
}

function Pages({ draft, tried, error, onChange }: PartProps) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const fields = fieldsOf(error)
  // the server counts addresses, people count lines
  const lines = draft.addresses.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [at + 1]))
  const wrong = listProblems(fields, 'urls').map(([at, problem]) =>
    t('links.line', { line: lines[at] ?? at + 1, problem }),
  )
  const said =
    wrong.length > 0 ? wrong.join('\n') : (fields.urls ?? (error && failureText(error, common('errors.message'))))
  return (
    <>
      <TextArea
        label={t('links.addresses')}
        description={t('links.addressesHint')}
        placeholder="https://"
        minRows={3}
        maxRows={14}
        value={draft.addresses}
        spellCheck={false}
        autoCapitalize="none"
        error={
          tried && linesOf(draft.addresses).length === 0 ? (
            t('links.addressesEmpty')
          ) : said ? (
            <span className={styles.lines}>{said}</span>
          ) : undefined
        }
        onChange={(event) => onChange({ addresses: event.currentTarget.value })}
      />
      <ResyncField value={draft.resync} onChange={(resync) => onChange({ resync })} />
    </>
  )
}

function Search({ mode, draft, tried, error, onChange }: PartProps & { mode: Mode }) {
  const { t } = useTranslation('newSource')
  const fields = fieldsOf(error)
  const { url, depth, most, include, exclude } = draft
  const at = (name: 'include' | 'exclude') =>
    fields[name] ??
    (listProblems(fields, name)
      .map(([index, problem]) => t('links.line', { line: index + 1, problem }))
      .join(' ') ||
      undefined)
  return (
    <>
      <GeneralProblem error={error} fields={['url', 'depth', 'max_pages', 'include', 'exclude']} />
      <TextField
        label={mode === 'sitemap' ? t('links.sitemapAddress') : t('links.start')}
        placeholder={mode === 'sitemap' ? 'https://example.com/sitemap.xml' : 'https://example.com/help'}
        value={url}
        type="url"
        spellCheck={false}
        error={tried && url.trim() === '' ? t('links.addressesEmpty') : fields.url}
        onChange={(event) => onChange({ url: event.currentTarget.value })}
      />
      <div className={styles.pair}>
        {mode === 'crawl' && (
          <TextField
            label={t('links.depth')}
            description={t('links.depthHint', { max: crawlCaps.depth })}
            inputMode="numeric"
            value={depth}
            error={
              tried && wholeWrong(depth, 0, crawlCaps.depth)
                ? t('links.between', { min: 0, max: crawlCaps.depth })
                : fields.depth
            }
            onChange={(event) => onChange({ depth: event.currentTarget.value })}
          />
        )}
        <TextField
          label={t('links.limit')}
          description={t('links.limitHint', { max: crawlCaps.pages })}
          inputMode="numeric"
          value={most}
          error={
            tried && wholeWrong(most, 1, crawlCaps.pages)
              ? t('links.between', { min: 1, max: crawlCaps.pages })
              : fields.max_pages
          }
          onChange={(event) => onChange({ most: event.currentTarget.value })}
        />
      </div>
      <div className={styles.pair}>
        <TextArea
          label={t('links.include')}
          description={t('links.includeHint')}
          value={include}
          spellCheck={false}
          error={at('include')}
          onChange={(event) => onChange({ include: event.currentTarget.value })}
        />
        <TextArea
          label={t('links.exclude')}
          description={t('links.excludeHint')}
          value={exclude}
          spellCheck={false}
          error={at('exclude')}
          onChange={(event) => onChange({ exclude: event.currentTarget.value })}
        />
      </div>
    </>
  )
}
