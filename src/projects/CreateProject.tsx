import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { NAME_CAP } from '../api/chatbots'
import { fieldOr } from '../api/failure'
import { useProjectChanges } from '../api/projects'
import { NameDialog } from '../ui/NameDialog'

/** Asks for a project's name, creates it and navigates to it. */
export function CreateProject({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const { create } = useProjectChanges()
  const close = () => {
    create.reset()
    onClose()
  }
  return (
    <NameDialog
      opened={opened}
      title={t('create.title')}
      label={t('create.label')}
      placeholder={t('create.placeholder')}
      submit={t('create.submit')}
      maxLength={NAME_CAP}
      loading={create.isPending}
      error={create.error ? fieldOr(create.error, 'name', common('errors.message')) : undefined}
      onSubmit={(name) =>
        create.mutate(name, {
          onSuccess: ({ gid }) => {
            close()
            void navigate(`/projects/${gid}`)
          },
        })
      }
      onClose={close}
    />
  )
}
