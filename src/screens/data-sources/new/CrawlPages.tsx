import { useDebouncedCallback } from '@mantine/hooks'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { Crawl, CrawlView, PageState } from '../../../../server/contracts/crawls'
import { failureText } from '../../../api/failure'
import { formatNumber } from '../../../i18n/format'
import { Badge } from '../../../ui/Badge'
import { Button } from '../../../ui/Button'
import { Card } from '../../../ui/Card'
import { ErrorCard } from '../../../ui/ErrorCard'
import { LoadingState } from '../../../ui/LoadingState'
import { Tabs } from '../../../ui/Tabs'
import { TextField } from '../../../ui/TextField'
import styles from './new-source.module.css'
import { choiceOf, countChosen, isChosen, type PageChoice, toggled } from './pageChoice'

type Shown = Exclude<PageState, 'waiting'>

interface CrawlPagesProps {
  crawl: Crawl
  state: Shown
  onState: (state: Shown) => void
  search: string
  onSearch: (search: string) => void
  pages: UseInfiniteQueryResult<InfiniteData<CrawlView>>
  choice: PageChoice
  onChoice: (choice: PageChoice) => void
}

const states: readonly Shown[] = ['found', 'left_out', 'failed']
const TYPED_MS = 250

/** The pages of a crawl by state; found ones can be excluded from training. */
export function CrawlPages(props: CrawlPagesProps) {
  const { crawl, state, onState, onSearch, choice, onChoice } = props
  const { t } = useTranslation('newSource')
  const search = useDebouncedCallback((text: string) => onSearch(text.trim()), TYPED_MS)
  const mayChoose = state === 'found' && crawl.pages.found > 0
  return (
    <Card flush>
      <div className={styles.pagesHead}>
        <Tabs value={state} onChange={(chosen) => onState(chosen as Shown)}>
          <Tabs.List aria-label={t('crawl.tabs')}>
            {states.map((each) => (
              <Tabs.Tab key={each} value={each}>
                {t(`crawl.tab.${each}`, { count: crawl.pages[each] })}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        <TextField
          className={styles.find}
          aria-label={t('crawl.search')}
          placeholder={t('crawl.search')}
          leftSection={<Search size={14} />}
          maxLength={200}
          onChange={(event) => search(event.currentTarget.value)}
        />
      </div>
      {mayChoose && (
        <div className={styles.choose}>
          <span>
            {t('crawl.selected', {
              selected: formatNumber(countChosen(choice, crawl.pages.found)),
              total: formatNumber(crawl.pages.found),
            })}
          </span>
          <Button size="s" design="ghost" onClick={() => onChoice(choiceOf('all'))}>
            {t('crawl.all')}
          </Button>
          <Button size="s" design="ghost" onClick={() => onChoice(choiceOf('some'))}>
            {t('crawl.none')}
          </Button>
        </div>
      )}
      <List {...props} />
    </Card>
  )
}

function List({ crawl, state, search, pages, choice, onChoice }: CrawlPagesProps) {
  const { t } = useTranslation('newSource')
  const { t: common } = useTranslation()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = pages
  if (!data)
    return error ? (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    ) : (
      <div className={styles.inset}>
        <LoadingState rows={4} height={36} />
      </div>
    )
  const found = data.pages.flatMap((part) => part.pages)
  if (found.length === 0)
    return (
      <p className={styles.nothing}>
        {search
          ? t('crawl.noMatch', { search })
          : state === 'found' && crawl.state === 'finding'
            ? t('crawl.empty.foundYet')
            : t(`crawl.empty.${state}`)}
      </p>
    )
  return (
    <>
      <ul className={styles.rows} aria-label={t('crawl.pagesFound')}>
        {found.map(({ url, title, reason, known }) => (
          <li key={url} className={styles.page}>
            {state === 'found' && (
              <input
                type="checkbox"
                className={styles.box}
                aria-label={t('crawl.select', { url })}
                checked={isChosen(choice, url)}
                onChange={() => onChoice(toggled(choice, url))}
              />
            )}
            <span className={styles.words}>
              {title && <span className={styles.pageTitle}>{title}</span>}
              <a className={styles.address} href={url} target="_blank" rel="noopener noreferrer nofollow">
                {url}
              </a>
              {reason && (
                <span className={styles.reason} data-tone={state === 'failed' ? 'danger' : undefined}>
                  {reason}
                </span>
              )}
            </span>
            {known && state === 'found' && <Badge>{t('crawl.known')}</Badge>}
          </li>
        ))}
      </ul>
      {hasNextPage && (
        <div className={styles.inset}>
          <Button size="s" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('crawl.more')}
          </Button>
        </div>
      )}
    </>
  )
}
