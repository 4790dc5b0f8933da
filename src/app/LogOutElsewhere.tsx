import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { logoutElsewhere } from '../../server/contracts/auth'
import { callRoute } from '../api/client'
import { failureText } from '../api/failure'
import { ConfirmDialog } from '../ui/ConfirmDialog'
import { notify } from '../ui/notify'

/** Ends the account's sessions in all other browsers. */
export function LogOutElsewhere({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const end = useMutation({
    mutationFn: () => callRoute(logoutElsewhere),
    onSuccess: ({ ended }) => notify.success(t('user.elsewhereDone', { count: ended })),
    onError: (error) => notify.error(failureText(error, t('errors.message'))),
    onSettled: onClose,
  })
  return (
    <ConfirmDialog
      opened={opened}
      title={t('user.logoutElsewhere')}
      message={t('user.elsewhereMessage')}
      confirm={t('user.logoutElsewhere')}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    />
  )
}
