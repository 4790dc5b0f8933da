import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { acceptInvitation } from '../../../server/contracts/invitations'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import styles from './auth.module.css'
import type { Way } from './way'

/** One click, for the logged-in account that the invitation is for. */
export function AcceptAs({ token, invitation, onAccepted }: Way) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const accept = useMutation({
    mutationFn: () => callRoute(acceptInvitation, { body: { token } }),
    onSuccess: ({ pgid }) => onAccepted(pgid),
  })
  return (
    <>
      {accept.error && (
        <p role="alert" className={styles.alert}>
          {failureText(accept.error, common('errors.message'))}
        </p>
      )}
      <p>{t('invite.as', { email: invitation.email })}</p>
      <Button design="primary" size="l" wide loading={accept.isPending} onClick={() => accept.mutate()}>
        {t('invite.accept')}
      </Button>
    </>
  )
}
