import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { failureText } from '../../api/failure'
import { useWebhook } from '../../api/webhooks'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

export function DeleteCard({ pgid, gid }: { pgid: string; gid: string }) {
  const { t } = useTranslation('webhooks')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const { remove } = useWebhook(pgid, gid)
  return (
    <>
      <Card
        tone="danger"
        title={t('remove.title')}
        description={t('remove.description')}
        actions={
          <Button design="danger" onClick={() => setAsking(true)}>
            {t('remove.confirm')}
          </Button>
        }
      />
      <ConfirmDialog
        opened={asking}
        danger
        title={t('remove.title')}
        message={t('remove.message')}
        confirm={t('remove.confirm')}
        loading={remove.isPending}
        error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
        onConfirm={() =>
          remove.mutate(undefined, {
            onSuccess: () => {
              notify.success(t('remove.done'))
              void navigate(`/projects/${pgid}/settings/project/webhooks`)
            },
          })
        }
        onClose={() => setAsking(false)}
      />
    </>
  )
}
