import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeEmailBody } from '../../../server/contracts/profile'
import { useAccount } from '../../api/account'
import { failureText, fieldsOf } from '../../api/failure'
import { useProfileChanges } from '../../api/profile'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'

const nothing = { email: '', current: '' }

/** The login address: a new one takes effect when the link in its mail is opened. */
export function EmailCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { email: present } = useAccount().user.account
  const [body, setBody] = useState(nothing)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const { email } = useProfileChanges()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(changeEmailBody, body)
    setWrong(fields)
    if (Object.keys(fields).length > 0) return
    email.mutate(body, {
      onSuccess: () => setBody(nothing),
      onError: (error) => setWrong(fieldsOf(error)),
    })
  }
  const change = (part: Partial<typeof body>) => {
    email.reset()
    setBody({ ...body, ...part })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Card
        title={t('email.title')}
        description={t('email.description', { email: present })}
        footer={
          <Button type="submit" design="primary" disabled={body.email.trim() === ''} loading={email.isPending}>
            {t('email.submit')}
          </Button>
        }
      >
        <div className={styles.fields}>
          {email.data && (
            <p role="status" className={styles.told}>
              {t(email.data.by_mail ? 'email.sent' : 'email.printed', { email: email.variables?.email })}
            </p>
          )}
          {email.error && Object.keys(wrong).length === 0 && (
            <p role="alert" className={styles.alert}>
              {failureText(email.error, common('errors.message'))}
            </p>
          )}
          <div className={styles.pair}>
            <TextField
              label={t('email.new')}
              type="email"
              autoComplete="email"
              value={body.email}
              error={wrong.email}
              onChange={(event) => change({ email: event.currentTarget.value })}
            />
            <PasswordField
              revealLabel={common('actions.showPassword')}
              label={t('password.current')}
              autoComplete="current-password"
              value={body.current}
              error={wrong.current}
              onChange={(event) => change({ current: event.currentTarget.value })}
            />
          </div>
        </div>
      </Card>
    </form>
  )
}
