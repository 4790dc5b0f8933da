import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { requestReset, requestResetBody } from '../../../server/contracts/password-reset'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { PageTitle } from '../../ui/PageTitle'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { Notice } from './SetupNotice'

/** `/reset`: requests a link for a new password. Does not reveal whether the account exists. */
export function ResetScreen() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = useMutation({ mutationFn: () => callRoute(requestReset, { body: { email } }) })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(requestResetBody, { email })
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  if (send.data)
    return (
      <Notice
        title={send.data.by_mail ? t('reset.byMailTitle') : t('reset.byOperatorTitle')}
        message={send.data.by_mail ? t('reset.byMail', { email }) : t('reset.byOperator', { email })}
      >
        <Button to="/login">{common('screens.login')}</Button>
      </Notice>
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('reset.title')}</PageTitle>
      <h1 className={styles.title}>{t('reset.title')}</h1>
      <p className={styles.message}>{t('reset.message')}</p>
      {send.error && (
        <p role="alert" className={styles.alert}>
          {failureText(send.error, common('errors.message'))}
        </p>
      )}
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        error={wrong.email}
        autoFocus
      />
      <Button type="submit" design="primary" size="l" wide loading={send.isPending}>
        {t('reset.submit')}
      </Button>
      <p className={styles.other}>
        <Link to="/login">{t('reset.back')}</Link>
      </p>
    </form>
  )
}
