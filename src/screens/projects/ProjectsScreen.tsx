import { useQuery } from '@tanstack/react-query'
import { FolderPlus, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { projectEntry, projectsQuery } from '../../api/projects'
import { formatMoment, formatSince } from '../../i18n/format'
import { CreateProject } from '../../projects/CreateProject'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { EmptyState } from '../../ui/EmptyState'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageHeader } from '../../ui/PageHeader'
import { ProjectTile } from '../../ui/ProjectTile'
import styles from './ProjectsScreen.module.css'

/** All projects of the account. */
export function ProjectsScreen() {
  const { t } = useTranslation('projects')
  const [creating, setCreating] = useState(false)
  const open = (
    <Button design="primary" icon={<Plus />} onClick={() => setCreating(true)}>
      {t('list.new')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('list.title')} description={t('list.description')} actions={open} />
      <List create={open} />
      <CreateProject opened={creating} onClose={() => setCreating(false)} />
    </>
  )
}

function List({ create }: { create: ReactNode }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const { project: current } = useAccount().user
  const { data: projects, error, refetch } = useQuery(projectsQuery())
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
  if (!projects) return <LoadingState rows={3} height={64} />
  if (projects.length === 0)
    return (
      <EmptyState icon={<FolderPlus />} title={t('list.emptyTitle')} message={t('list.emptyMessage')} action={create} />
    )
  return (
    <ul className={styles.grid}>
      {projects.map(({ gid, name, chatbots, updated_at }) => (
        <li key={gid}>
          <Link to={projectEntry(gid)} className={styles.project}>
            <ProjectTile name={name} />
            <span className={styles.words}>
              <span className={styles.name}>{name}</span>
              <span className={styles.facts}>
                {t('list.chatbots', { count: chatbots })} ·{' '}
                <time title={formatMoment(updated_at)}>{formatSince(updated_at)}</time>
              </span>
            </span>
            {gid === current?.gid && <Badge>{t('list.current')}</Badge>}
          </Link>
        </li>
      ))}
    </ul>
  )
}
