import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure'
import type { useSourceChanges } from '../../api/sources'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'

interface DeleteDialogProps {
  gids: string[]
  /** of a single source */
  title?: string
  remove: ReturnType<typeof useSourceChanges>['remove']
  onClose: () => void
  onDeleted?: () => void
}

/** Asks before one or many sources are deleted. */
export function DeleteDialog({ gids, title, remove, onClose, onDeleted }: DeleteDialogProps) {
  const { t } = useTranslation('sources')
  const { t: common } = useTranslation()
  const close = () => {
    remove.reset()
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      danger
      title={title === undefined ? t('delete.title', { count: gids.length }) : t('delete.titleNamed', { title })}
      message={t('delete.message', { count: gids.length })}
      confirm={t('delete.confirm')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() =>
        remove.mutate(gids, {
          onSuccess: (count) => {
            notify.success(t('delete.done', { count }))
            onDeleted?.()
            close()
          },
        })
      }
      onClose={close}
    />
  )
}
