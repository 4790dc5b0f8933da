import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../server/contracts/passkeys'
import { fieldOr } from '../../api/failure'
import { usePasskeyChanges } from '../../api/passkeys'
import { Button } from '../../ui/Button'
import { ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import styles from './account.module.css'

/** Asks for the password before a passkey is removed. */
export function RemovePasskey({ passkey: { gid, name }, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { remove } = usePasskeyChanges()
  const [current, setCurrent] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const onSuccess = () => {
      notify.success(t('passkeys.removed'))
      onClose()
    }
    if (current !== '') remove.mutate({ gid, current }, { onSuccess })
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <ModalText>{t('passkeys.removeHint', { name })}</ModalText>
      <PasswordField
        revealLabel={common('actions.showPassword')}
        label={t('password.current')}
        autoComplete="current-password"
        data-autofocus
        value={current}
        error={remove.error ? fieldOr(remove.error, 'current', common('errors.message')) : undefined}
        onChange={(event) => {
          remove.reset()
          setCurrent(event.currentTarget.value)
        }}
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="danger" disabled={current === ''} loading={remove.isPending}>
          {t('passkeys.remove')}
        </Button>
      </ModalActions>
    </form>
  )
}
