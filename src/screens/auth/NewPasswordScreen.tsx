import { useMutation, useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { finishReset, finishResetBody, lookAtReset } from '../../../server/contracts/password-reset'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { notify } from '../../ui/notify'
import { PageTitle } from '../../ui/PageTitle'
import { PasswordField } from '../../ui/PasswordField'
import { Switch } from '../../ui/Switch'
import styles from './auth.module.css'
import { Notice } from './SetupNotice'

/** `/reset/<token>`: sets a new password. */
export function NewPasswordScreen() {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const { token = '' } = useParams()
  const { data, error, refetch } = useQuery({
    queryKey: ['reset', token],
    queryFn: ({ signal }) => callRoute(lookAtReset, { body: { token }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error)
    return (
      <ErrorCard
        screen
        message={failureText(error, common('errors.message'))}
        action={{ label: common('actions.retry'), onClick: () => void refetch() }}
      />
    )
  if (!data) return <LoadingState rows={3} height={40} />
  if (data.state !== 'open')
    return (
      <Notice title={t(`reset.${data.state}.title`)} message={t(`reset.${data.state}.message`)}>
        <Button to="/reset" design="primary">
          {t('reset.again')}
        </Button>
      </Notice>
    )
  return <NewPassword token={token} email={data.email ?? ''} keys={data.api_keys} again={() => void refetch()} />
}

interface NewPasswordProps {
  token: string
  email: string
  keys: readonly { name: string; project: string }[]
  again: () => void
}

function NewPassword({ token, email, keys, again }: NewPasswordProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  // on by default: a stolen key goes unnoticed, while a program without its key reports it
  const [deletesKeys, setDeletesKeys] = useState(true)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const send = useMutation({
    mutationFn: () =>
      callRoute(finishReset, { body: { token, password, delete_api_keys: keys.length > 0 && deletesKeys } }),
    onSuccess: () => {
      notify.success(t('reset.done'))
      void navigate('/login', { replace: true })
    },
    onError: (error) => {
      setWrong(error instanceof ApiFailure ? error.fields : {})
      // the link has expired: the reloaded page says so
      if (error instanceof ApiFailure && error.code === 'conflict') again()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(finishResetBody, { token, password })
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      <PageTitle>{t('reset.newTitle')}</PageTitle>
      <h1 className={styles.title}>{t('reset.newTitle')}</h1>
      <p className={styles.message}>{t('reset.newMessage', { email })}</p>
      {send.error && !wrong.password && (
        <p role="alert" className={styles.alert}>
          {failureText(send.error, common('errors.message'))}
        </p>
      )}
      {/* for password managers: the account's address */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t('reset.newPassword')}
        description={t('passwordRule')}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        error={wrong.password}
        revealLabel={common('actions.showPassword')}
        autoFocus
      />
      {keys.length > 0 && (
        <Switch
          label={t('reset.deleteKeys', { count: keys.length })}
          description={t('reset.keys', { keys: keys.map(({ name, project }) => `${name} (${project})`).join(', ') })}
          checked={deletesKeys}
          onChange={(event) => setDeletesKeys(event.currentTarget.checked)}
        />
      )}
      <Button type="submit" design="primary" size="l" wide loading={send.isPending}>
        {t('reset.save')}
      </Button>
    </form>
  )
}
