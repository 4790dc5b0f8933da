import { useQuery } from '@tanstack/react-query'
import { Bot, FileUp, Plus, Search } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { useCan } from '../../api/account'
import { chatbotsQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { TextField } from '../../ui/TextField'
import { ChatbotRow } from './ChatbotRow'
import styles from './chatbots.module.css'
import { DeletingChatbots } from './DeletingChatbots'

/** From how many chatbots on a search is of use. */
const SEARCH_FROM = 8

/** The project's chatbots. */
export function ChatbotsScreen() {
  const { t } = useTranslation('chatbots')
  const { pgid = '' } = useParams()
  const mayCreate = useCan('chatbots.create')
  const home = `/projects/${pgid}/chatbots`
  return (
    <>
      <PageHeader
        title={t('list.title')}
        actions={
          mayCreate && (
            <>
              <Button icon={<FileUp />} to={`${home}/new?from=file`}>
                {t('list.import')}
              </Button>
              <Button design="primary" icon={<Plus />} to={`${home}/new`}>
                {t('list.new')}
              </Button>
            </>
          )
        }
      />
      <List pgid={pgid} mayCreate={mayCreate} />
      <DeletingChatbots pgid={pgid} />
    </>
  )
}

function List({ pgid, mayCreate }: { pgid: string; mayCreate: boolean }) {
  const { t } = useTranslation('chatbots')
  const { t: common } = useTranslation()
  const [search, setSearch] = useState('')
  const { data: chatbots, error, refetch } = useQuery(chatbotsQuery(pgid))
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{
          label: common('actions.retry'),
          onClick: () => void refetch(),
        }}
      />
    )
  if (!chatbots) return <LoadingState rows={4} height={52} />
  if (chatbots.length === 0)
    return (
      <EmptyState
        icon={<Bot />}
        title={t('list.emptyTitle')}
        message={t(mayCreate ? 'list.emptyMessage' : 'list.emptyReadOnly')}
        action={
          mayCreate && (
            <Button design="primary" icon={<Plus />} to={`/projects/${pgid}/chatbots/new`}>
              {t('list.new')}
            </Button>
          )
        }
      />
    )
  const wanted = search.trim().toLowerCase()
  const found = chatbots.filter(({ name }) => name.toLowerCase().includes(wanted))
  return (
    <div className={styles.list}>
      {chatbots.length >= SEARCH_FROM && (
        <TextField
          className={styles.search}
          type="search"
          aria-label={t('list.search')}
          placeholder={t('list.search')}
          leftSection={<Search size={14} />}
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      {found.length === 0 ? (
        <p className={styles.none}>{t('list.noMatch', { search: search.trim() })}</p>
      ) : (
        <Card flush>
          <ul className={styles.rows}>
            {found.map((chatbot) => (
              <ChatbotRow key={chatbot.gid} pgid={pgid} chatbot={chatbot} />
            ))}
          </ul>
        </Card>
      )}
    </div>
  )
}
