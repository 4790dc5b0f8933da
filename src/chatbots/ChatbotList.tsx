import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ListedChatbot } from '../../server/contracts/chatbots'
import { useAccount } from '../api/account'
import { chatbotsQuery } from '../api/chatbots'
import { failureText } from '../api/failure'
import { Card } from '../ui/Card'
import { ErrorCard } from '../ui/ErrorCard'
import { LoadingState } from '../ui/LoadingState'
import { Select } from '../ui/Select'
import { TextField } from '../ui/TextField'
import { ChatbotRow } from './ChatbotRow'
import styles from './chatbots.module.css'
import { DeletingChatbots } from './DeletingChatbots'

/** The number of chatbots from which a search field is useful. */
const SEARCH_FROM = 4

export type Order = 'recent' | 'name' | 'conversations'

const orders: Record<Order, (a: ListedChatbot, b: ListedChatbot) => number> = {
  recent: (a, b) => b.updated_at.localeCompare(a.updated_at),
  name: (a, b) => a.name.localeCompare(b.name),
  conversations: (a, b) => (b.conversations ?? 0) - (a.conversations ?? 0) || orders.recent(a, b),
}

/** Chatbots whose name contains the search text, in the chosen order. */
export const listedAs = (chatbots: readonly ListedChatbot[], search: string, order: Order): ListedChatbot[] => {
  const wanted = search.trim().toLowerCase()
  return chatbots.filter(({ name }) => name.toLowerCase().includes(wanted)).sort(orders[order])
}

/**
 * The project's chatbots with their state; with search and order if there are several.
 * @param empty shown if there are none
 */
export function ChatbotList(props: { pgid: string; title?: string; empty: ReactNode }) {
  return (
    <>
      <List {...props} />
      <DeletingChatbots pgid={props.pgid} />
    </>
  )
}

function List({ pgid, title, empty }: { pgid: string; title?: string; empty: ReactNode }) {
  const { t: common } = useTranslation()
  const { data: chatbots, error, refetch } = useQuery(chatbotsQuery(pgid))
  if (chatbots) return chatbots.length === 0 ? empty : <Chatbots pgid={pgid} chatbots={chatbots} title={title} />
  if (!error) return <LoadingState rows={4} height={56} />
  return (
    <ErrorCard
      message={failureText(error, common('errors.message'))}
      action={{ label: common('actions.retry'), onClick: () => void refetch() }}
    />
  )
}

function Chatbots({ pgid, chatbots, title }: { pgid: string; chatbots: ListedChatbot[]; title: string | undefined }) {
  const { t } = useTranslation('chatbots')
  const [search, setSearch] = useState('')
  const [order, setOrder] = useState<Order>('recent')
  const many = chatbots.length >= SEARCH_FROM
  const counted = chatbots.some(({ conversations }) => conversations !== null)
  const { default_chatbot_id: first } = useAccount().user.settings
  const isFirst = ({ gid }: ListedChatbot) => Number(gid === first)
  const found = listedAs(chatbots, many ? search : '', order).sort((a, b) => isFirst(b) - isFirst(a))
  const offered = (['recent', 'name', 'conversations'] as const).filter((one) => one !== 'conversations' || counted)
  return (
    <section className={styles.list} aria-label={t('list.label')}>
      {(title || many) && (
        <div className={styles.tools}>
          {title && <h2 className={styles.heading}>{title}</h2>}
          {many && (
            <>
              <TextField
                className={styles.search}
                type="search"
                aria-label={t('list.search')}
                placeholder={t('list.search')}
                leftSection={<Search size={14} />}
                value={search}
                onChange={(event) => setSearch(event.currentTarget.value)}
              />
              <Select
                className={styles.order}
                aria-label={t('list.order')}
                allowDeselect={false}
                value={order}
                data={offered.map((one) => ({ value: one, label: t(`order.${one}`) }))}
                onChange={(chosen) => setOrder((chosen ?? 'recent') as Order)}
              />
            </>
          )}
        </div>
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
    </section>
  )
}
