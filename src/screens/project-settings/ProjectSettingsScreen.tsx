import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Navigate, useLocation, useNavigate } from 'react-router'
import type { Project } from '../../../server/contracts/projects'
import { resetAccount, useAccount, useCan } from '../../api/account'
import { NAME_CAP } from '../../api/chatbots'
import { failureText, fieldOr } from '../../api/failure'
import { useProjectChanges } from '../../api/projects'
import { ROLE } from '../../api/roles'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'
import { PageHeader } from '../../ui/PageHeader'
import { ReadOnlyNotice } from '../../ui/ReadOnlyNotice'
import { SettingsStack } from '../../ui/SettingsStack'
import { TextField } from '../../ui/TextField'
import { CreditPriceCard } from './CreditPriceCard'
import { FailedJobs } from './FailedJobs'
import { Leave } from './Leave'
import { RetentionCard } from './RetentionCard'
import { Sandbox } from './Sandbox'
import { StorageCard } from './StorageCard'

/** Cards that this screen had before they got one of their own: links to them are in bookmarks and messages. */
const moved = new Set(['#single-sign-on', '#networks'])

/** A project's general settings: name, duplication, leaving, deletion. */
export function ProjectSettingsScreen() {
  const { t } = useTranslation('projects')
  const { project, project_roles } = useAccount().user
  const may = {
    update: useCan('project.update'),
    duplicate: useCan('project.export'),
    remove: useCan('project.delete'),
    retention: useCan('project.audit'),
  }
  const { hash } = useLocation()
  if (!project) return null
  if (moved.has(hash)) return <Navigate to={`/projects/${project.gid}/settings/project/security${hash}`} replace />
  return (
    <>
      <PageHeader title={t('settings.title')} />
      <SettingsStack>
        {!may.update && <ReadOnlyNotice>{t('settings.readOnly')}</ReadOnlyNotice>}
        <Name key={project.gid} project={project} mayUpdate={may.update} />
        {may.duplicate && <Duplicate project={project} />}
        {may.update && <CreditPriceCard key={`price ${project.gid}`} pgid={project.gid} />}
        {may.update && <FailedJobs pgid={project.gid} />}
        {may.retention && <RetentionCard key={`retention ${project.gid}`} pgid={project.gid} />}
        {may.retention && <StorageCard key={`storage ${project.gid}`} pgid={project.gid} />}
        {project_roles.includes(ROLE.OWNER) && <Sandbox key={`sandbox ${project.gid}`} pgid={project.gid} />}
        <Leave project={project} />
        {may.remove && <Remove project={project} />}
      </SettingsStack>
    </>
  )
}

function Name({ project, mayUpdate }: { project: Project; mayUpdate: boolean }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const [name, setName] = useState(project.name)
  const { rename } = useProjectChanges()
  const changed = name.trim() !== '' && name.trim() !== project.name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (changed)
      rename.mutate({ pgid: project.gid, name: name.trim() }, { onSuccess: () => notify.success(t('settings.saved')) })
  }
  return (
    <form onSubmit={submit}>
      <Card
        title={t('settings.name')}
        description={t('settings.nameDescription')}
        footer={
          mayUpdate && (
            <Button type="submit" design="primary" disabled={!changed} loading={rename.isPending}>
              {common('actions.save')}
            </Button>
          )
        }
      >
        <TextField
          aria-label={t('settings.nameLabel')}
          value={name}
          maxLength={NAME_CAP}
          readOnly={!mayUpdate}
          error={rename.error ? fieldOr(rename.error, 'name', common('errors.message')) : undefined}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </Card>
    </form>
  )
}

function Duplicate({ project }: { project: Project }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { duplicate } = useProjectChanges()
  const copy = () =>
    duplicate.mutate(project.gid, {
      onSuccess: ({ gid, name }) => {
        notify.success(t('settings.duplicated', { name }))
        void navigate(`/projects/${gid}`)
      },
      onError: (error) => notify.error(failureText(error, common('errors.message'))),
    })
  return (
    <Card
      title={t('settings.duplicateTitle')}
      description={t('settings.duplicateDescription')}
      actions={
        <Button loading={duplicate.isPending} onClick={copy}>
          {t('settings.duplicate')}
        </Button>
      }
    />
  )
}

function Remove({ project }: { project: Project }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { projects } = useAccount().user
  const [asking, setAsking] = useState(false)
  const { remove } = useProjectChanges()
  const last = projects.length < 2
  const confirm = (name: string) =>
    remove.mutate(
      { pgid: project.gid, name },
      {
        onSuccess: async () => {
          notify.success(t('settings.deleted'))
          await navigate('/projects')
          resetAccount('all')
          await navigate('/')
        },
      },
    )
  return (
    <>
      <Card
        tone="danger"
        title={t('settings.deleteTitle')}
        description={t(last ? 'settings.deleteLast' : 'settings.deleteDescription')}
        actions={
          <Button design="danger" disabled={last} onClick={() => setAsking(true)}>
            {t('settings.delete')}
          </Button>
        }
      />
      <ConfirmDialog
        opened={asking}
        title={t('settings.deleteTitle')}
        message={t('settings.deleteAsk', { name: project.name })}
        confirm={t('settings.delete')}
        typeName={project.name}
        danger
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={confirm}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
      />
    </>
  )
}
