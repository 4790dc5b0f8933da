import { useMutation } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginByCode, loginCodeBody } from '../../../server/contracts/two-factor'
import { callRoute } from '../../api/client'
import { ApiFailure, failureText } from '../../api/failure'
import { fieldErrors } from '../../api/validate'
import { Button } from '../../ui/Button'
import { TextField } from '../../ui/TextField'
import styles from './auth.module.css'

interface CodeFormProps {
  /** the button's label */
  submit: string
  onDone: () => void
  /** back to the password */
  onBack: () => void
}

/** The second step of a log-in: a code of the app, or a recovery code. */
export function CodeForm({ submit, onDone, onBack }: CodeFormProps) {
  const { t } = useTranslation('auth')
  const { t: common } = useTranslation()
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<Readonly<Record<string, string>>>({})
  const [byRecovery, setByRecovery] = useState(false)
  const send = useMutation({
    mutationFn: () => callRoute(loginByCode, { body: { code } }),
    onSuccess: onDone,
    onError: (error) => setWrong(error instanceof ApiFailure ? error.fields : {}),
  })
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    const fields = fieldErrors(loginCodeBody, { code })
    setWrong(fields)
    send.reset()
    if (Object.keys(fields).length === 0) send.mutate()
  }
  const switchKind = () => {
    setByRecovery(!byRecovery)
    setCode('')
    setWrong({})
    send.reset()
  }
  const general = send.isError && Object.keys(wrong).length === 0 && failureText(send.error, common('errors.message'))
  return (
    <form className={styles.form} onSubmit={onSubmit} noValidate>
      <p className={styles.message}>{t(byRecovery ? 'code.recoveryMessage' : 'code.message')}</p>
      {general && (
        <p role="alert" className={styles.alert}>
          {general}
        </p>
      )}
      <TextField
        key={String(byRecovery)}
        label={t(byRecovery ? 'code.recovery' : 'code.label')}
        inputMode={byRecovery ? 'text' : 'numeric'}
        autoComplete={byRecovery ? 'off' : 'one-time-code'}
        spellCheck={false}
        value={code}
        error={wrong.code}
        onChange={(event) => setCode(event.currentTarget.value)}
        autoFocus
      />
      <Button type="submit" design="primary" size="l" wide loading={send.isPending}>
        {submit}
      </Button>
      <Button design="ghost" wide onClick={switchKind}>
        {t(byRecovery ? 'code.byApp' : 'code.byRecovery')}
      </Button>
      <Button design="ghost" wide onClick={onBack}>
        {t('code.back')}
      </Button>
    </form>
  )
}
