import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Project } from '../../../server/contracts/projects'
import { resetAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useLeaveProject } from '../../api/members'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

/** Leaves a project; for everybody except its last owner. */
export function Leave({ project: { gid, name } }: { project: Project }) {
  const { t } = useTranslation('projects')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const leave = useLeaveProject()
  const confirm = () =>
    leave.mutate(gid, {
      onSuccess: async () => {
        notify.success(t('settings.left', { name }))
        await navigate('/projects')
        resetAccount('all')
        await navigate('/')
      },
    })
  return (
    <>
      <Card
        title={t('settings.leaveTitle')}
        description={t('settings.leaveDescription')}
        actions={<Button onClick={() => setAsking(true)}>{t('settings.leave')}</Button>}
      />
      <ConfirmDialog
        opened={asking}
        danger
        title={t('settings.leaveTitle')}
        message={t('settings.leaveAsk', { name })}
        confirm={t('settings.leave')}
        loading={leave.isPending}
        error={leave.error ? failureText(leave.error, common('errors.message')) : undefined}
        onConfirm={confirm}
        onClose={() => {
          leave.reset()
          setAsking(false)
        }}
      />
    </>
  )
}
