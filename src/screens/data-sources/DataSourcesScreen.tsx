import { useQuery } from '@tanstack/react-query'
import { Ellipsis, Library, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import type { SourceList } from '../../../server/contracts/sources'
import { useAccount, useCan } from '../../api/account'
import { failureText } from '../../api/failure'
import { type ChatbotPlace, sourcesQuery } from '../../api/sources'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { IconButton } from '../../ui/IconButton'
import { LoadingState } from '../../ui/LoadingState'
import { Menu, MenuEntry } from '../../ui/Menu'
import { PageHeader } from '../../ui/PageHeader'
import styles from './data-sources.module.css'
import { EmptyKnowledge } from './EmptyKnowledge'
import { Feeds } from './Feeds'
import { LinkDialog } from './LinkDialog'
import { LinkedBanner } from './LinkedBanner'
import { RetrievalTest } from './RetrievalTest'
import { SourceFilters } from './SourceFilters'
import { SourcesTable } from './SourcesTable'
import { Summary } from './Summary'
import { PAGE_SIZE, type SourceView, useSourceView } from './useSourceView'

/** /data-sources: a chatbot's sources, the training progress, and a search test. */
export function DataSourcesScreen() {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const { pgid = '', cgid = '' } = useParams()
  const place = { pgid, cgid }
  const view = useSourceView()
  const [testing, setTesting] = useState(false)
  const [linking, setLinking] = useState(false)
  const mayCreate = useCan('knowledge_base.create')
  const mayLink = useCan('knowledge_base.link')
  const hasOthers = useAccount().user.chatbots.some(({ gid }) => gid !== cgid)
  const { data, error, refetch } = useQuery(
    sourcesQuery(place, view.filter, { offset: view.page * PAGE_SIZE, limit: PAGE_SIZE }),
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <>
            <Button
              icon={<Search />}
              aria-expanded={testing}
              disabled={!data || (countAll(data) === 0 && !data.linked)}
              onClick={() => setTesting((open) => !open)}
            >
              {t('test.open')}
            </Button>
            {mayCreate && (
              <Button design="primary" icon={<Plus />} to={`/projects/${pgid}/chatbots/${cgid}/data-sources/new`}>
                {t('add')}
              </Button>
            )}
            {mayLink && (
              <Menu width={280} position="bottom-end">
                <Menu.Target>
                  <IconButton label={t('more')} icon={<Ellipsis />} design="bordered" tooltip={false} />
                </Menu.Target>
                <Menu.Dropdown>
                  <MenuEntry leftSection={<Library size={15} />} onClick={() => setLinking(true)}>
                    {t('link.open')}
                  </MenuEntry>
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        }
      />
      {data ? (
        <div className={styles.stack}>
          {data.linked && <LinkedBanner place={place} linked={data.linked} ownCount={countAll(data)} />}
          {testing && <RetrievalTest place={place} onClose={() => setTesting(false)} />}
          <Feeds place={place} />
          <Knowledge
            place={place}
            list={data}
            view={view}
            onLink={mayLink && hasOthers ? () => setLinking(true) : null}
          />
        </div>
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <LoadingState rows={5} height={56} />
      )}
      {linking && <LinkDialog place={place} onClose={() => setLinking(false)} />}
    </>
  )
}

interface KnowledgeProps {
  place: ChatbotPlace
  list: SourceList
  view: SourceView
  onLink: (() => void) | null
}

function Knowledge({ place, list, view, onLink }: KnowledgeProps) {
  const mayCreate = useCan('knowledge_base.create')
  if (countAll(list) === 0 && list.linked) return null
  if (countAll(list) === 0) return <EmptyKnowledge place={place} mayCreate={mayCreate} onLink={onLink} />
  return (
    <>
      <Summary place={place} list={list} onShowFailed={() => view.setFilter({ status: 'error' })} />
      <SourceFilters view={view} />
      <SourcesTable key={JSON.stringify(view.filter)} place={place} list={list} view={view} />
    </>
  )
}

const countAll = ({ training }: SourceList) => Object.values(training.by_kind).reduce((sum, count) => sum + count, 0)
