import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import {
  askToRegister,
  askToRegisterBody,
  finishRegistration,
  finishRegistrationBody,
  lookAtRegistration,
} from '../../../server/contracts/auth'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { shownLanguage } from '../../api/language'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { PageTitle } from '../../ui/PageTitle'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import { isOfOrganisation, OrganisationChoice } from './OrganisationChoice'
import { Notice } from './SetupNotice'

/** Requests the registration link. Only the mail reveals whether the address has an account. */
export function AskToRegister() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [email, setEmail] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = useMutation({
    mutationFn: (own_account: boolean) =>
      callRoute(askToRegister, { body: { email, language: shownLanguage(), ...(own_account && { own_account }) } }),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(askToRegisterBody, { email })
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate(false)
  }
  if (isOfOrganisation(send.error) || (send.isPending && send.variables))
    return (
      <OrganisationChoice email={email} error={send.error} loading={send.isPending} onOwn={() => send.mutate(true)} />
    )
  if (send.data)
    return (
      <Notice title={t('register.askedTitle')} message={t('register.asked', { email })}>
        <Button onClick={() => send.reset()}>{t('register.otherAddress')}</Button>
      </Notice>
    )
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('register.title')}</PageTitle>
      <h1 className={styles.title}>{t('register.title')}</h1>
      <p className={styles.message}>{t('register.mailMessage')}</p>
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
        {t('register.ask')}
      </Button>
      <p className={styles.other}>
        {t('register.haveAccount')} <Link to="/login">{t('register.login')}</Link>
      </p>
    </form>
  )
}

/** `/register?token=…` from the mail: name and password create the account. */
export function FinishRegistration({ token }: { token: string }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const { data, error, refetch } = useQuery({
    queryKey: ['registration', token],
    queryFn: ({ signal }) => callRoute(lookAtRegistration, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error)
    return (
      <ErrorCard
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={4} height={40} />
  if (data.email === null)
    return (
      <Notice title={t('register.closedTitle')} message={t('register.closedMessage')}>
        <Button to="/register" design="primary">
          {t('register.again')}
        </Button>
      </Notice>
    )
  return <FinishForm token={token} email={data.email} again={() => void refetch()} />
}

const empty = { first_name: '', last_name: '', password: '' }

function FinishForm({ token, email, again }: { token: string; email: string; again: () => void }) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [typed, setTyped] = useState(empty)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const body = { ...typed, token }
  const send = useMutation({
    mutationFn: () => callRoute(finishRegistration, { body }),
    onSuccess: () => navigate('/', { replace: true }),
    onError: (error) => {
      setWrong(error instanceof ApiFailure ? error.fields : {})
      // the link has expired: the reloaded page says so
      if (error instanceof ApiFailure && error.code === 'conflict') again()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(finishRegistrationBody, body)
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  const field = (name: keyof typeof empty) => ({
    value: typed[name],
    error: wrong[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('register.title')}</PageTitle>
      <h1 className={styles.title}>{t('register.title')}</h1>
      {send.error && Object.keys(wrong).length === 0 && (
        <p role="alert" className={styles.alert}>
          {failureText(send.error, common('errors.message'))}
        </p>
      )}
      <div className={styles.pair}>
        <TextField label={t('firstName')} autoComplete="given-name" autoFocus {...field('first_name')} />
        <TextField label={t('lastName')} autoComplete="family-name" {...field('last_name')} />
      </div>
      <TextField label={t('email')} type="email" autoComplete="username" value={email} readOnly />
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
    </form>
  )
}
