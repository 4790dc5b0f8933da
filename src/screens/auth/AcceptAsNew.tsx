import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { acceptAsNew, acceptAsNewBody } from '../../../server/contracts/invitations'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'
import type { Way } from './way'

const empty = { first_name: '', last_name: '', password: '' }

/** For people without an account: name and password create one for the invited address. */
export function AcceptAsNew({ token, invitation: { email }, onAccepted }: Way) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [typed, setTyped] = useState(empty)
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const body = { ...typed, token }
  const accept = useMutation({
    mutationFn: () => callRoute(acceptAsNew, { body }),
    onSuccess: ({ pgid }) => onAccepted(pgid),
    onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(acceptAsNewBody, body)
    setWrong(fields)
    accept.reset()
    if (Object.keys(fields).length === 0) accept.mutate()
  }
  const field = (name: keyof typeof empty) => ({
    value: typed[name],
    error: wrong[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  })
  const shown = Object.keys({ ...empty, email }).some((name) => wrong[name])
  return (
    <form className={styles.form} onSubmit={submit} noValidate>
      {accept.error && !shown && (
        <p role="alert" className={styles.alert}>
          {failureText(accept.error, common('errors.message'))}
        </p>
      )}
      <div className={styles.pair}>
        <TextField label={t('firstName')} autoComplete="given-name" autoFocus {...field('first_name')} />
        <TextField label={t('lastName')} autoComplete="family-name" {...field('last_name')} />
      </div>
      <TextField label={t('email')} type="email" autoComplete="username" value={email} readOnly error={wrong.email} />
      <PasswordField
        label={t('password')}
        description={t('passwordRule')}
        autoComplete="new-password"
        revealLabel={common('actions.showPassword')}
        {...field('password')}
      />
      <Button type="submit" design="primary" size="l" wide loading={accept.isPending}>
        {t('invite.acceptAsNew')}
      </Button>
    </form>
  )
}
