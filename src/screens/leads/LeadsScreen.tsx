import { useInfiniteQuery } from '@tanstack/react-query'
import { UserRoundSearch } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { leadSources } from '../../../server/contracts/leads'
import { useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type LeadFilter, leadsQuery, useLiveAnswers } from '../../api/leads'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { Segmented } from '../../ui/Segmented'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import { LeadBoard } from './LeadBoard'
import { LeadTable } from './LeadTable'
import styles from './leads.module.css'

const views = ['table', 'board'] as const
export type LeadsView = (typeof views)[number]

/** /projects/:pgid/chatbots/:cgid/leads as a table, and /leads/index2 as cards on a board. */
export const LeadsScreen = () => <Leads view="table" />
export const LeadsBoardScreen = () => <Leads view="board" />

function Leads({ view }: { view: LeadsView }) {
  const { t } = useTranslation('leads')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  useLiveAnswers(place)
  const navigate = useNavigate()
  const mayChange = useCan('contacts.update')
  const [search, setSearch] = useState('')
  const [source, setSource] = useState('')
  const wanted = useDeferredValue(search.trim())
  const chosen = leadSources.find((each) => each === source)
  const filter: LeadFilter = { ...(wanted && { search: wanted }), ...(chosen && { source: chosen }) }
  const query = useInfiniteQuery(leadsQuery(place, filter))
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query
  const [first] = data?.pages ?? []
  const leads = data?.pages.flatMap((page) => page.leads)
  const isFiltered = wanted !== '' || chosen !== undefined
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Segmented
            label={t('view')}
            value={view}
            options={views.map((value) => ({ value, label: t(`views.${value}`) }))}
            onChange={(value) =>
              void navigate(`/projects/${pgid}/chatbots/${cgid}/leads${value === 'board' ? '/index2' : ''}`)
            }
          />
        }
      />
      {!mayChange && <ReadOnlyNotice>{t('readOnly')}</ReadOnlyNotice>}
      <div className={styles.filters}>
        <TextField
          aria-label={t('search')}
          placeholder={t('search')}
          type="search"
          maxLength={200}
          value={search}
          onChange={({ currentTarget: { value } }) => setSearch(value)}
        />
        <Select
          aria-label={t('source')}
          allowDeselect={false}
          data={[
            { value: '', label: t('allSources') },
            ...leadSources.map((value) => ({ value, label: t(`sources.${value}`) })),
          ]}
          value={source}
          onChange={(value) => setSource(value ?? '')}
        />
      </div>
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : !leads || !first ? (
        <LoadingState rows={5} height={44} />
      ) : leads.length === 0 ? (
        <EmptyState
          icon={<UserRoundSearch />}
          title={t(isFiltered ? 'noMatchTitle' : 'emptyTitle')}
          message={t(isFiltered ? 'noMatchMessage' : 'emptyMessage')}
        />
      ) : view === 'table' ? (
        <LeadTable place={place} leads={leads} people={first.people} readOnly={!mayChange} />
      ) : (
        <LeadBoard place={place} leads={leads} counts={first.counts} readOnly={!mayChange} />
      )}
      {hasNextPage && (
        <Button className={styles.more} loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {t('more')}
        </Button>
      )}
    </>
  )
}
