import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { login, loginBody } from '../../../server/contracts/auth'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { ownPath } from '../../api/ownPath'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { PageTitle } from '../../ui/PageTitle'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { CodeForm } from './CodeForm'
import { installationQuery } from './installation'
import { PasskeyLogin } from './PasskeyLogin'
import { SetupNotice } from './SetupNotice'

export function LoginScreen() {
  const { data: installation } = useQuery(installationQuery())
  return installation?.has_owner === false ? (
    <SetupNotice />
  ) : (
    <LoginForm open={installation?.registration_open ?? false} />
  )
}

function LoginForm({ open }: { open: boolean }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const next = ownPath(useSearchParams()[0].get('next'))
  const [body, setBody] = useState({ email: '', password: '' })
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [asksCode, setAsksCode] = useState(false)
  // an address of the server's is none of the interface's screens
  const enter = () => (next.startsWith('/api/') ? window.location.replace(next) : navigate(next, { replace: true }))
  const send = useMutation({
    mutationFn: () => callRoute(login, { body }),
    onSuccess: ({ code_required }) => (code_required ? setAsksCode(true) : enter()),
    onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(loginBody, body)
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  const change = (field: keyof typeof body) => (event: { currentTarget: { value: string } }) =>
    setBody({ ...body, [field]: event.currentTarget.value })
  const general = send.isError && Object.keys(wrong).length === 0 && failureText(send.error, common('errors.message'))
  if (asksCode)
    return (
      <div className={styles.form}>
        <PageTitle>{t('code.title')}</PageTitle>
        <h1 className={styles.title}>{t('code.title')}</h1>
        <CodeForm submit={t('login.submit')} onDone={enter} onBack={() => setAsksCode(false)} />
      </div>
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('login.title')}</PageTitle>
      <h1 className={styles.title}>{t('login.title')}</h1>
      {general && (
        <p role="alert" className={styles.alert}>
          {general}
        </p>
      )}
      <TextField
        label={t('email')}
        type="email"
        autoComplete="username"
        value={body.email}
        onChange={change('email')}
        error={wrong.email}
        autoFocus
      />
      <PasswordField
        label={t('password')}
        autoComplete="current-password"
        value={body.password}
        onChange={change('password')}
        error={wrong.password}
        revealLabel={common('actions.showPassword')}
      />
      <Button type="submit" design="primary" size="l" wide loading={send.isPending}>
        {t('login.submit')}
      </Button>
      <PasskeyLogin onDone={enter} />
      <p className={styles.other}>
        <Link to={next === '/' ? '/sign-on' : `/sign-on?next=${encodeURIComponent(next)}`}>{t('login.signOn')}</Link>
      </p>
      <p className={styles.other}>
        <Link to="/reset">{t('login.forgot')}</Link>
      </p>
      {open && (
        <p className={styles.other}>
          {t('login.noAccount')} <Link to="/register">{t('login.register')}</Link>
        </p>
      )}
    </form>
  )
}
