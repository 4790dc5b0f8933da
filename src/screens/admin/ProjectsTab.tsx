import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AdminProject } from '../../../server/contracts/admin'
import { allProjectsQuery, useAdminChanges } from '../../api/admin'
import { failureText } from '../../api/failure'
import { formatMoment, formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { notify } from '../../ui/notify'
import { AllowanceDialog } from './AllowanceDialog'
import styles from './admin.module.css'
import { Loaded } from './Loaded'
import { ReasonDialog } from './ReasonDialog'
import { SearchField, useSearch } from './SearchField'

/** All projects, with what they use; a plan by hand, credits, a suspension. */
export function ProjectsTab() {
  const { t } = useTranslation('admin')
  const { search, ...field } = useSearch()
  const query = useQuery({ ...allProjectsQuery(search), placeholderData: keepPreviousData })
  const [asking, setAsking] = useState<{ what: 'allow' | 'suspend'; project: AdminProject } | null>(null)
  const { suspendProject } = useAdminChanges()
  const close = () => {
    suspendProject.reset()
    setAsking(null)
  }
  return (
    <div className={styles.list}>
      <SearchField label={t('projects.search')} {...field} />
      <Loaded query={query}>
        {({ projects, more }) => (
          <>
            <Card
              title={t('projects.title')}
              description={projects.length === 0 ? t('projects.none') : undefined}
              flush
            >
              {projects.length > 0 && (
                <ul className={styles.rows} aria-label={t('projects.title')}>
                  {projects.map((project) => (
                    <Row key={project.gid} project={project} onAsk={(what) => setAsking({ what, project })} />
                  ))}
                </ul>
              )}
            </Card>
            {more && <p className={styles.faint}>{t('projects.more')}</p>}
          </>
        )}
      </Loaded>
      {asking?.what === 'allow' && <AllowanceDialog project={asking.project} onClose={close} />}
      {asking?.what === 'suspend' && (
        <ReasonDialog
          danger
          title={t('suspend.project', { name: asking.project.name })}
          message={t('suspend.projectHint')}
          confirm={t('suspend.confirm')}
          action={{
            ...suspendProject,
            run: (why) =>
              suspendProject.mutate(
                { gid: asking.project.gid, why },
                {
                  onSuccess: () => {
                    notify.success(t('suspend.done', { name: asking.project.name }))
                    close()
                  },
                },
              ),
          }}
          onClose={close}
        />
      )}
    </div>
  )
}

function Row({ project, onAsk }: { project: AdminProject; onAsk: (what: 'allow' | 'suspend') => void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { resumeProject } = useAdminChanges()
  const { name } = project
  const uses = [
    t('projects.members', { count: project.members }),
    t('projects.chatbots', { count: project.chatbots }),
    t('projects.credits', { credits: formatNumber(project.credits_used) }),
  ]
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <strong>{name}</strong>
        <span className={styles.faint}>{[...project.owners, ...uses].join(' · ')}</span>
        <span className={styles.badges}>
          <Badge>{project.plan_id}</Badge>
          {project.pays && <Badge tone="success">{t('projects.pays')}</Badge>}
          {project.suspended_at && (
            <span title={formatMoment(project.suspended_at)}>
              <Badge tone="danger">{t('projects.why', { why: project.suspended_why })}</Badge>
            </span>
          )}
        </span>
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend of its own */}
      <div className={styles.buttons} role="group" aria-label={t('projects.actions', { name })}>
        <Button size="s" onClick={() => onAsk('allow')}>
          {t('projects.allow')}
        </Button>
        {project.suspended_at ? (
          <Button
            size="s"
            loading={resumeProject.isPending}
            onClick={() =>
              resumeProject.mutate(project.gid, {
                onSuccess: () => notify.success(t('projects.resumed', { name })),
                onError: (error) => notify.error(failureText(error, common('errors.message'))),
              })
            }
          >
            {t('projects.resume')}
          </Button>
        ) : (
          <Button size="s" design="ghost" onClick={() => onAsk('suspend')}>
            {t('projects.suspend')}
          </Button>
        )}
      </div>
    </li>
  )
}
