import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldOr } from '../../api/failure'
import { useTwoFactorChanges } from '../../api/twoFactor'
import { Button } from '../../ui/Button'
import { CopyField } from '../../ui/CopyField'
import { ModalActions, ModalText } from '../../ui/Modal'
import { PasswordField } from '../../ui/PasswordField'
import { QrCode } from '../../ui/QrCode'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'
import { RecoveryCodes } from './RecoveryCodes'

/** Sets two-factor sign-in up: the password, the app, a code of it, and the recovery codes. */
export function TurnOnTwoFactor({ onClose }: { onClose: () => void }) {
  const { begin, confirm } = useTwoFactorChanges()
  if (confirm.data) return <RecoveryCodes codes={confirm.data.recovery_codes} onClose={onClose} />
  if (begin.data) return <Scan {...begin.data} confirm={confirm} onClose={onClose} />
  return <AskPassword begin={begin} onClose={onClose} />
}

type Changes = ReturnType<typeof useTwoFactorChanges>

function AskPassword({ begin, onClose }: { begin: Changes['begin']; onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const [current, setCurrent] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (current !== '') begin.mutate(current)
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <ModalText>{t('twoFactor.passwordHint')}</ModalText>
      <PasswordField
        revealLabel={common('actions.showPassword')}
        label={t('password.current')}
        autoComplete="current-password"
        data-autofocus
        value={current}
        error={begin.error ? fieldOr(begin.error, 'current', common('errors.message')) : undefined}
        onChange={(event) => {
          begin.reset()
          setCurrent(event.currentTarget.value)
        }}
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" disabled={current === ''} loading={begin.isPending}>
          {t('twoFactor.next')}
        </Button>
      </ModalActions>
    </form>
  )
}

interface ScanProps {
  secret: string
  link: string
  confirm: Changes['confirm']
  onClose: () => void
}

function Scan({ secret, link, confirm, onClose }: ScanProps) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const [code, setCode] = useState('')
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (code.trim() !== '') confirm.mutate(code)
  }
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <ModalText>{t('twoFactor.scan')}</ModalText>
      <div className={styles.qr}>
        <QrCode text={link} label={t('twoFactor.qr')} />
      </div>
      <CopyField label={t('twoFactor.secret')} value={secret} />
      <TextField
        label={t('twoFactor.code')}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        error={confirm.error ? fieldOr(confirm.error, 'code', common('errors.message')) : undefined}
        onChange={(event) => {
          confirm.reset()
          setCode(event.currentTarget.value)
        }}
        autoFocus
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" disabled={code.trim() === ''} loading={confirm.isPending}>
          {t('twoFactor.turnOn')}
        </Button>
      </ModalActions>
    </form>
  )
}
