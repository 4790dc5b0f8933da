import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../server/contracts/passkeys'
import { ApiFailure, failureText, fieldsOf } from '../../api/failure'
import { hasPasskeys, passkeysQuery, usePasskeyChanges } from '../../api/passkeys'
import { formatDate, formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { PasswordField } from '../../ui/PasswordField'
import { TextField } from '../../ui/TextField'
import styles from './account.module.css'

type Asking = 'add' | Passkey

/** Passkeys of the account: added, named and removed. */
export function PasskeysCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery)
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  return (
    <Card
      title={t('passkeys.title')}
      description={t(hasPasskeys() ? 'passkeys.description' : 'passkeys.unsupported')}
      flush
      actions={
        hasPasskeys() && (
          <Button size="s" onClick={() => setAsking('add')}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {passkeys ? (
        passkeys.length > 0 && (
          <ul className={styles.sessions} aria-label={t('passkeys.title')}>
            {passkeys.map((passkey) => (
              <li key={passkey.gid} className={styles.session}>
                <KeyRound size={16} aria-hidden />
                <span className={styles.words}>
                  <span className={styles.device}>{passkey.name}</span>
                  <span className={styles.seen}>
                    {passkey.used_at
                      ? t('passkeys.used', { since: formatSince(passkey.used_at) })
                      : t('passkeys.added', { date: formatDate(passkey.created_at) })}
                  </span>
                </span>
                <Button
                  size="s"
                  aria-label={t('passkeys.removeOne', { name: passkey.name })}
                  onClick={() => setAsking(passkey)}
                >
                  {t('passkeys.remove')}
                </Button>
              </li>
            ))}
          </ul>
        )
      ) : error ? (
        <ErrorCard
          message={failureText(error, common('errors.message'))}
          action={{ label: common('actions.retry'), onClick: () => void refetch() }}
        />
      ) : (
        <div className={styles.waiting}>
          <LoadingState rows={1} />
        </div>
      )}
      <Modal opened={asking !== null} onClose={close} title={t(asking === 'add' ? 'passkeys.add' : 'passkeys.remove')}>
        {asking && <Ask what={asking} onClose={close} />}
      </Modal>
    </Card>
  )
}

/** The password, and for a new one its name. */
function Ask({ what, onClose }: { what: Asking; onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { add, remove } = usePasskeyChanges()
  const [name, setName] = useState('')
  const [current, setCurrent] = useState('')
  const isNew = what === 'add'
  const { error, isPending } = isNew ? add : remove
  const wrong: Readonly<Record<string, string>> = error ? fieldsOf(error) : {}
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const onSuccess = () => {
      notify.success(t(isNew ? 'passkeys.done' : 'passkeys.removed'))
      onClose()
    }
    if (isNew) add.mutate({ current, name: name.trim() || t('passkeys.unnamed') }, { onSuccess })
    else remove.mutate({ gid: what.gid, current }, { onSuccess })
  }
  // what the browser says of a cancelled dialog is its own, and in English
  const problem = error instanceof ApiFailure ? failureText(error, common('errors.message')) : t('passkeys.cancelled')
  return (
    <form className={styles.fields} onSubmit={submit} noValidate>
      <ModalText>{isNew ? t('passkeys.addHint') : t('passkeys.removeHint', { name: what.name })}</ModalText>
      {error && Object.keys(wrong).length === 0 && (
        <p role="alert" className={styles.alert}>
          {problem}
        </p>
      )}
      {isNew && (
        <TextField
          label={t('passkeys.name')}
          placeholder={t('passkeys.unnamed')}
          maxLength={75}
          value={name}
          error={wrong.name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      <PasswordField
        revealLabel={common('actions.showPassword')}
        label={t('password.current')}
        autoComplete="current-password"
        value={current}
        error={wrong.current}
        onChange={(event) => setCurrent(event.currentTarget.value)}
      />
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design={isNew ? 'primary' : 'danger'} disabled={current === ''} loading={isPending}>
          {t(isNew ? 'passkeys.add' : 'passkeys.remove')}
        </Button>
      </ModalActions>
    </form>
  )
}
