import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useParams } from 'react-router'
import { confirmEmail } from '../../../server/contracts/profile'
import { refreshAccount } from '../../api/account'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { Button } from '../../ui/Button'
import { PageTitle } from '../../ui/PageTitle'
import styles from './account.module.css'

/** /confirm-email/…: the link in the mail to a new address. Confirmed by a button, since mail scanners open links. */
export function ConfirmEmailScreen() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { token = '' } = useParams()
  const confirm = useMutation({
    mutationFn: () => callRoute(confirmEmail, { body: { token } }),
    onSuccess: refreshAccount,
  })
  return (
    <div className={styles.fields}>
      <PageTitle>{t('confirm.title')}</PageTitle>
      <h1>{t('confirm.title')}</h1>
      {confirm.data ? (
        <>
          <p role="status">{t('confirm.done', { email: confirm.data.email })}</p>
          <Button design="primary" to="/">
            {t('confirm.on')}
          </Button>
        </>
      ) : (
        <>
          <p>{t('confirm.message')}</p>
          {confirm.error && (
            <p role="alert" className={styles.alert}>
              {failureText(confirm.error, common('errors.message'))}
            </p>
          )}
          <Button design="primary" loading={confirm.isPending} onClick={() => confirm.mutate()}>
            {t('confirm.submit')}
          </Button>
        </>
      )}
    </div>
  )
}
