import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { TableProperties } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { BYTE_ORDER_MARK, csvLine } from '../../../engine/values/csv'
import { failureText } from '../../api/failure'
import { allResults, type ResultFilter, type ResultPage, resultsQuery, useLiveAnswers } from '../../api/leads'
import { formatMoment } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { downloadText } from '../../ui/downloadText'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './results.module.css'

const filters = ['all', 'yes', 'no'] as const
const environments = ['all', 'production', 'sharing'] as const

/** /projects/:pgid/chatbots/:cgid/results: what visitors answered, a row a conversation, a column a question. */
export function ResultsScreen() {
  const { t } = useTranslation('results')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  useLiveAnswers({ pgid, cgid })
  const [completed, setCompleted] = useState<(typeof filters)[number]>('all')
  const [environment, setEnvironment] = useState<(typeof environments)[number]>('all')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const filter: ResultFilter = {
    ...(completed !== 'all' && { completed }),
    ...(environment !== 'all' && { environment }),
    ...(from && { from }),
    ...(to && { to }),
  }
  const query = useInfiniteQuery(resultsQuery({ pgid, cgid }, filter))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const results = data?.pages.flatMap((page) => page.results)
  const columns = columnsOf(data?.pages)
  const isFiltered = Object.keys(filter).length > 0
  const saving = useMutation({
    mutationFn: () => allResults({ pgid, cgid }, filter),
    onSuccess: (pages) => {
      const asked = columnsOf(pages)
      const head = [t('started'), t('state'), ...asked.map(([, name]) => name)]
      const rows = pages.flatMap((page) =>
        page.results.map(({ started_at, completed: done, answers }) => [
          started_at,
          t(done ? 'completed' : 'open'),
          ...asked.map(([id]) => answers[id] ?? ''),
        ]),
      )
      downloadText(BYTE_ORDER_MARK + [head, ...rows].map(csvLine).join(''), 'results.csv', 'text/csv;charset=utf-8')
    },
    onError: (failure) => notify.error(failureText(failure, t('failedDownload'))),
  })
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          results &&
          results.length > 0 && (
            <Button loading={saving.isPending} onClick={() => saving.mutate()}>
              {t('csv')}
            </Button>
          )
        }
      />
      <div className={styles.filters}>
        <Segmented
          label={t('state')}
          value={completed}
          options={filters.map((value) => ({ value, label: t(`filters.${value}`) }))}
          onChange={setCompleted}
        />
        <Select
          aria-label={t('environment')}
          allowDeselect={false}
          data={environments.map((value) => ({ value, label: t(`environments.${value}`) }))}
          value={environment}
          onChange={(value) => setEnvironment(environments.find((each) => each === value) ?? 'all')}
        />
        <TextField
          type="date"
          aria-label={t('from')}
          value={from}
          onChange={({ currentTarget: { value } }) => setFrom(value)}
        />
        <TextField
          type="date"
          aria-label={t('to')}
          value={to}
          onChange={({ currentTarget: { value } }) => setTo(value)}
        />
      </div>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !results ? (
        <LoadingState rows={5} height={44} />
      ) : results.length === 0 ? (
        <EmptyState
          icon={<TableProperties />}
          title={t(isFiltered ? 'noMatchTitle' : 'emptyTitle')}
          message={t(isFiltered ? 'noMatchMessage' : 'emptyMessage')}
        />
      ) : (
        <Card flush>
          <section className={styles.scroll} aria-label={t('title')}>
            <table className={styles.table}>
              <thead>
                <tr>
                  <th scope="col">{t('started')}</th>
                  <th scope="col">{t('state')}</th>
                  {columns.map(([id, name]) => (
                    <th key={id} scope="col">
                      {name}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {results.map(({ conversation, started_at, completed: done, answers }) => (
                  <tr key={conversation}>
                    <td>
                      <Link to={`/projects/${pgid}/chatbots/${cgid}/conversations/${conversation}`}>
                        {formatMoment(started_at)}
                      </Link>
                    </td>
                    <td>
                      <Badge tone={done ? 'success' : 'neutral'}>{t(done ? 'completed' : 'open')}</Badge>
                    </td>
                    {columns.map(([id]) => (
                      <td key={id} title={answers[id]}>
                        {answers[id]}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        </Card>
      )}
      {hasNextPage && (
        <Button className={styles.more} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}

/** The questions of some pages; one that was renamed is called as in the newest. */
function columnsOf(pages: readonly ResultPage[] = []): [string, string][] {
  const columns = new Map<string, string>()
  for (const { id, name } of pages.flatMap((page) => page.columns)) if (!columns.has(id)) columns.set(id, name)
  return [...columns]
}
