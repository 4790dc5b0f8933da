import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { login, loginBody } from '../../../server/contracts/auth'
import { acceptInvitation } from '../../../server/contracts/invitations'
import { callRoute } from '../../api/client'
import { failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { CodeForm } from './CodeForm'
import type { Way } from './way'

/** For people with an account who are not logged in: the password accepts. */
export function AcceptByLogin({ token, invitation: { email }, onAccepted, again }: Way) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [password, setPassword] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [asksCode, setAsksCode] = useState(false)
  // logged in already: if accepting fails, the reloaded page says why
  const enter = async () => {
    const accepted = await callRoute(acceptInvitation, { body: { token } }).catch(() => null)
    return accepted ? onAccepted(accepted.pgid) : again()
  }
  const accept = useMutation({
    mutationFn: async () => {
      const { code_required } = await callRoute(login, { body: { email, password } })
      if (code_required) setAsksCode(true)
      else await enter()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(loginBody, { email, password })
    setWrong(fields)
    accept.reset()
    if (Object.keys(fields).length === 0) accept.mutate()
  }
  if (asksCode)
    return <CodeForm submit={t('invite.acceptByLogin')} onDone={() => void enter()} onBack={() => setAsksCode(false)} />
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {accept.error && (
        <p role="alert" className={styles.alert}>
          {failureText(accept.error, common('errors.message'))}
        </p>
      )}
      <TextField label={t('email')} type="email" autoComplete="username" value={email} readOnly />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrong.password}
        revealLabel={common('actions.showPassword')}
        autoFocus
      />
      <Button type="submit" design="primary" size="l" wide loading={accept.isPending}>
        {t('invite.acceptByLogin')}
      </Button>
      <p className={styles.other}>
        <Link to="/reset">{t('login.forgot')}</Link>
      </p>
    </form>
  )
}
