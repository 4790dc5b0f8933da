import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText, fieldsOf } from '../../api/failure'
import type { Proof } from '../../api/twoFactor'
import { Button } from '../../ui/Button'
import { ModalActions, ModalText } from '../../ui/Modal'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'

interface ProveTwoFactorProps {
  message: string
  submit: string
  danger?: boolean
  change: { mutate: (proof: Proof) => void; reset: () => void; isPending: boolean; error: unknown }
  onClose: () => void
}

/** Asks for password and code before a change to two-factor sign-in. */
export function ProveTwoFactor({ message, submit, danger, change, onClose }: ProveTwoFactorProps) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const [proof, setProof] = useState<Proof>({ current: '', code: '' })
  const wrong: Readonly<Record<string, string>> = change.error ? fieldsOf(change.error) : {}
  const complete = proof.current !== '' && proof.code.trim() !== ''
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (complete) change.mutate(proof)
  }
  const field = (name: keyof Proof) => ({
    value: proof[name],
    error: wrong[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      change.reset()
      setProof({ ...proof, [name]: event.currentTarget.value })
    },
  })
  return (
    <form className={styles.fields} onSubmit={onSubmit} noValidate>
      <ModalText>{message}</ModalText>
      {change.error && Object.keys(wrong).length === 0 ? (
        <p role="alert" className={styles.alert}>
          {failureText(change.error, common('errors.message'))}
        </p>
      ) : null}
      <PasswordField
        revealLabel={common('actions.showPassword')}
        label={t('password.current')}
        autoComplete="current-password"
        data-autofocus
        {...field('current')}
      />
      <TextField label={t('twoFactor.anyCode')} autoComplete="one-time-code" spellCheck={false} {...field('code')} />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design={danger ? 'danger' : 'primary'} disabled={!complete} loading={change.isPending}>
          {submit}
        </Button>
      </ModalActions>
    </form>
  )
}
