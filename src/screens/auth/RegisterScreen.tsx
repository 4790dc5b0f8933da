import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { register, registerBody } from '../../../server/contracts/auth'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { installationQuery } from './installation'
import { isOfOrganisation, OrganisationChoice } from './OrganisationChoice'
import { AskToRegister, FinishRegistration } from './RegisterByMail'
import { Notice, SetupNotice } from './SetupNotice'

/**
 * `?setup_token=<token>`, from the link printed by the start command, creates the owner; later anyone can register, if
 * registration is open.
 */
export function RegisterScreen() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [query] = useSearchParams()
  const token = query.get('setup_token') ?? undefined
  const mailToken = query.get('token')
  const { data: installation, error, refetch } = useQuery(installationQuery())
  if (error)
    return (
      <ErrorCard
        screen
        message={failureText(error, common('errors.message'))}
        action={{
          label: common('actions.retry'),
          onClick: () => void refetch(),
        }}
      />
    )
  if (!installation) return <LoadingState rows={5} height={32} />
  if (!installation.has_owner) return token ? <RegisterForm token={token} /> : <SetupNotice />
  if (!installation.registration_open)
    return (
      <Notice title={t('closed.title')} message={t('closed.message')}>
        <Button to="/login">{common('screens.login')}</Button>
      </Notice>
    )
  if (!installation.registration_by_mail) return <RegisterForm />
  return mailToken ? <FinishRegistration token={mailToken} /> : <AskToRegister />
}

const empty = { first_name: '', last_name: '', email: '', password: '' }

function RegisterForm({ token }: { token?: string }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(empty)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const body = token ? { ...typed, setup_token: token } : typed
  const send = useMutation({
    mutationFn: (own_account: boolean) =>
      callRoute(register, { body: { ...body, ...(own_account && { own_account }) } }),
    onSuccess: () => navigate('/', { replace: true }),
    onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(registerBody, body)
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate(false)
  }
  const field = (name: keyof typeof empty) => ({
    value: typed[name],
    error: wrong[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  if (isOfOrganisation(send.error) || (send.isPending && send.variables))
    return (
      <OrganisationChoice
        email={typed.email}
        error={send.error}
        loading={send.isPending}
        onOwn={() => send.mutate(true)}
      />
    )
  const shown = Object.keys(empty).some((name) => wrong[name])
  const general = send.isError && !shown && (wrong.setup_token ?? failureText(send.error, common('errors.message')))
  const title = t(token ? 'register.ownerTitle' : 'register.title')
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{title}</PageTitle>
      <h1 className={styles.title}>{title}</h1>
      {token && <p className={styles.message}>{t('register.ownerMessage')}</p>}
      {general && (
        <p role="alert" className={styles.alert}>
          {general}
        </p>
      )}
      <div className={styles.pair}>
        <TextField label={t('firstName')} autoComplete="given-name" autoFocus {...field('first_name')} />
        <TextField label={t('lastName')} autoComplete="family-name" {...field('last_name')} />
      </div>
      <TextField label={t('email')} type="email" autoComplete="username" {...field('email')} />
      <PasswordField
        label={t('password')}
        description={t('passwordRule')}
        autoComplete="new-password"
        revealLabel={common('actions.showPassword')}
        {...field('password')}
      />
      <Button type="submit" design="primary" size="l" wide loading={send.isPending}>
        {t('register.submit')}
      </Button>
      {!token && (
        <p className={styles.other}>
          {t('register.haveAccount')} <Link to="/login">{t('register.login')}</Link>
        </p>
      )}
    </form>
  )
}
