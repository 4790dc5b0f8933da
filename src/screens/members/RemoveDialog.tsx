import { useTranslation } from 'react-i18next'
import type { Member } from '../../../server/contracts/members'
import { failureText } from '../../api/failure'
import { useMemberChanges } from '../../api/members'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { notify } from '../../ui/notify'
import { fullName } from './fullName'

export function RemoveDialog({ pgid, member, onClose }: { pgid: string; member: Member; onClose: () => void }) {
  const { t } = useTranslation('members')
  const { t: common } = useTranslation()
  const { remove } = useMemberChanges(pgid)
  const name = fullName(member)
  return (
    <ConfirmDialog
      opened
      danger
      title={t('remove.title', { name })}
      message={t('remove.message', { name })}
      confirm={t('remove.confirm')}
      loading={remove.isPending}
      error={remove.error ? failureText(remove.error, common('errors.message')) : undefined}
      onConfirm={() =>
        remove.mutate(member.gid, {
          onSuccess: () => {
            notify.success(t('remove.done', { name }))
            onClose()
          },
        })
      }
      onClose={onClose}
    />
  )
}
