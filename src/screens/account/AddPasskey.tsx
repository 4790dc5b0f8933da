import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceOf } from '../../../server/contracts/device'
import { failureText, fieldsOf } from '../../api/failure'
import { deviceProblemOf, usePasskeyChanges } from '../../api/passkeys'
import { Button } from '../../ui/Button'
import { ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'

/** Asks for a name and the password, and then the browser for a passkey. */
export function AddPasskey({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { add } = usePasskeyChanges()
  const { browser, system } = deviceOf(navigator.userAgent)
  const [name, setName] = useState(
    browser && system ? t('sessions.device', { browser, system }) : t('passkeys.unnamed'),
  )
  const [current, setCurrent] = useState('')
  const wrong: Readonly<Record<string, string>> = fieldsOf(add.error)
  const problem = add.error && deviceProblemOf(add.error)
  const isComplete = current !== '' && name.trim() !== '' && name.trim().length <= 75
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const onSuccess = () => {
      notify.success(t('passkeys.done'))
      onClose()
    }
    if (isComplete) add.mutate({ current, name: name.trim() }, { onSuccess })
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <ModalText>{t('passkeys.addHint')}</ModalText>
      {add.error && Object.keys(wrong).length === 0 ? (
        <p role="alert" className={styles.alert}>
          {problem ? t(`passkeys.problems.${problem}`) : failureText(add.error, common('errors.message'))}
        </p>
      ) : null}
      <TextField
        label={t('passkeys.name')}
        maxLength={75}
        value={name}
        error={wrong.name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordField
        revealLabel={common('actions.showPassword')}
        label={t('password.current')}
        autoComplete="current-password"
        data-autofocus
        value={current}
        error={wrong.current}
        onChange={(event) => {
          add.reset()
          setCurrent(event.currentTarget.value)
        }}
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" disabled={!isComplete} loading={add.isPending}>
          {t('passkeys.add')}
        </Button>
      </ModalActions>
    </form>
  )
}
