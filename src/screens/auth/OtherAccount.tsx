import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { logOut } from '../../api/account'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import styles from './auth.module.css'

interface OtherAccountProps {
  /** the invited address */
  email: string
  loggedInAs: string
  onLeft: () => void
}

/** Another account is logged in than the invited one: log out, or go back. */
export function OtherAccount({ email, loggedInAs, onLeft }: OtherAccountProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const leave = useMutation({ mutationFn: logOut, onSuccess: onLeft })
  return (
    <>
      <p role="alert" className={styles.alert}>
        {leave.error ? failureText(leave.error, common('errors.logout')) : t('invite.other', { email, loggedInAs })}
      </p>
      <Button design="primary" size="l" wide loading={leave.isPending} onClick={() => leave.mutate()}>
        {t('invite.switch')}
      </Button>
      <Button to="/" size="l" wide>
        {t('invite.stay', { loggedInAs })}
      </Button>
    </>
  )
}
