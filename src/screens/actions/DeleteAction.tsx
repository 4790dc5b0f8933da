import { useTranslation } from 'react-i18next'
import type { StoredAction } from '../../../server/contracts/actions'
import { useActionChanges } from '../../api/actions'
import { failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/sources'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

interface DeleteActionProps {
  place: ChatbotPlace
  stored: StoredAction
  onDeleted?: () => void
  onClose: () => void
}

export function DeleteAction({ place, stored, onDeleted, onClose }: DeleteActionProps) {
  const { t } = useTranslation('actions')
  const { t: common } = useTranslation()
  const { remove } = useActionChanges(place)
  const { name } = stored.action
  return (
    <ConfirmDialog
      opened
      danger
      title={t('delete.title', { name })}
      message={t('delete.message')}
      confirm={t('delete.confirm')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() =>
        remove.mutate(stored.gid, {
          onSuccess: () => {
            notify.success(t('delete.done', { name }))
            onClose()
            onDeleted?.()
          },
        })
      }
      onClose={onClose}
    />
  )
}
