import { useQuery } from '@tanstack/react-query'
import { Bot, FileUp, Plus } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import type { Chatbot } from '../../../server/api/chatbots/contract'
import { useAccount, useCan } from '../../api/account'
import { chatbotsQuery } from '../../api/chatbots'
import { failureText } from '../../api/failure'
import { formatMoment, formatNumber, formatSince } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import styles from './ProjectHomeScreen.module.css'

const RECENT = 5

/** The project's dashboard: what there is, and what was worked on last. */
export function ProjectHomeScreen() {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const { pgid = '' } = useParams()
  const { project } = useAccount().user
  const { data: chatbots, error, refetch } = useQuery(chatbotsQuery(pgid))
  return (
    <>
      <PageHeader title={project?.name ?? t('home.title')} />
      {error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{
            label: common('actions.retry'),
            onClick: () => void refetch(),
          }}
        />
      ) : chatbots ? (
        <Overview pgid={pgid} chatbots={chatbots} />
      ) : (
        <LoadingState rows={3} height={84} />
      )}
    </>
  )
}

function Overview({ pgid, chatbots }: { pgid: string; chatbots: Chatbot[] }) {
  const { t } = useTranslation('projects')
  const { total_conversations: conversations } = useAccount().user
  if (chatbots.length === 0) return <Start pgid={pgid} />
  return (
    <div className={styles.overview}>
      <dl className={styles.figures}>
        <Figure label={t('home.chatbots')} value={chatbots.length} />
        <Figure label={t('home.published')} value={chatbots.filter(({ published }) => published).length} />
        <Figure label={t('home.conversations')} value={conversations} />
      </dl>
      <Recent pgid={pgid} chatbots={chatbots} />
    </div>
  )
}

function Figure({ label, value }: { label: string; value: number }) {
  return (
    <div className={styles.figure}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{formatNumber(value)}</dd>
    </div>
  )
}

function Recent({ pgid, chatbots }: { pgid: string; chatbots: Chatbot[] }) {
  const { t } = useTranslation('projects')
  const { t: chatbotText } = useTranslation('chatbots')
  const recent = chatbots.toSorted((a, b) => b.updated_at.localeCompare(a.updated_at)).slice(0, RECENT)
  return (
    <Card
      title={t('home.recent')}
      flush
      actions={
        <Button size="s" design="ghost" to={`/projects/${pgid}/chatbots`}>
          {t('home.all')}
        </Button>
      }
    >
      <ul className={styles.rows}>
        {recent.map(({ gid, name, published, updated_at }) => (
          <li key={gid}>
            <Link to={`/projects/${pgid}/chatbots/${gid}/builder`} className={styles.row}>
              <span className={styles.name}>{name}</span>
              <Badge dot tone={published ? 'success' : 'neutral'}>
                {chatbotText(published ? 'state.published' : 'state.draft')}
              </Badge>
              <time className={styles.since} title={formatMoment(updated_at)}>
                {formatSince(updated_at)}
              </time>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Start({ pgid }: { pgid: string }) {
  const { t } = useTranslation('projects')
  const mayCreate = useCan('chatbots.create')
  const home = `/projects/${pgid}/chatbots/new`
  return (
    <EmptyState
      icon={<Bot />}
      title={t('home.emptyTitle')}
      message={t('home.emptyMessage')}
      action={
        mayCreate && (
          <>
            <Button icon={<FileUp />} to={`${home}?from=file`}>
              {t('home.import')}
            </Button>
            <Button design="primary" icon={<Plus />} to={home}>
              {t('home.new')}
            </Button>
          </>
        )
      }
    />
  )
}
