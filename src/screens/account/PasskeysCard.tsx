import { useQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Passkey } from '../../../server/contracts/passkeys'
import { failureText } from '../../api/failure'
import { canUsePasskeys, passkeysQuery, usePasskeyChanges } from '../../api/passkeys'
import { formatDate, formatSince } from '../../i18n/format'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ErrorCard } from '../../ui/ErrorCard'
import { LoadingState } from '../../ui/LoadingState'
import { Modal } from '../../ui/Modal'
import { NameDialog } from '../../ui/NameDialog'
import { notify } from '../../ui/notify'
import { AddPasskey } from './AddPasskey'
import styles from './account.module.css'
import { RemovePasskey } from './RemovePasskey'

type Asking = { what: 'add' } | { what: 'rename' | 'remove'; passkey: Passkey }

/** Passkeys of the account: added, named and removed. */
export function PasskeysCard() {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { data: passkeys, error, refetch } = useQuery(passkeysQuery)
  const [asking, setAsking] = useState<Asking | null>(null)
  const close = () => setAsking(null)
  const isAble = canUsePasskeys()
  return (
    <>
      <Card
        title={t('passkeys.title')}
        description={t(isAble ? 'passkeys.description' : 'passkeys.unsupported')}
        flush
        actions={
          isAble &&
          passkeys && (
            <Button size="s" onClick={() => setAsking({ what: 'add' })}>
              {t('passkeys.add')}
            </Button>
          )
        }
      >
        {passkeys ? (
          passkeys.length > 0 && (
            <ul className={styles.sessions} aria-label={t('passkeys.title')}>
              {passkeys.map((passkey) => (
                <PasskeyRow key={passkey.gid} passkey={passkey} onAsk={(what) => setAsking({ what, passkey })} />
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
      </Card>
      <Modal opened={asking?.what === 'add'} onClose={close} title={t('passkeys.add')}>
        <AddPasskey onClose={close} />
      </Modal>
      <Modal opened={asking?.what === 'remove'} onClose={close} title={t('passkeys.removeTitle')}>
        {asking?.what === 'remove' && <RemovePasskey passkey={asking.passkey} onClose={close} />}
      </Modal>
      {asking?.what === 'rename' && <Rename passkey={asking.passkey} onClose={close} />}
    </>
  )
}

function PasskeyRow({ passkey, onAsk }: { passkey: Passkey; onAsk: (what: 'rename' | 'remove') => void }) {
  const { t } = useTranslation('account')
  const { name, created_at, used_at } = passkey
  const date = formatDate(created_at)
  return (
    <li className={styles.session}>
      <KeyRound size={16} aria-hidden />
      <span className={styles.words}>
        <span className={styles.passkeyName}>{name}</span>
        <span className={styles.seen}>
          {used_at ? t('passkeys.used', { date, since: formatSince(used_at) }) : t('passkeys.added', { date })}
        </span>
      </span>
      <span className={styles.passkeyActions}>
        <Button size="s" aria-label={t('passkeys.renameOne', { name })} onClick={() => onAsk('rename')}>
          {t('passkeys.rename')}
        </Button>
        <Button size="s" aria-label={t('passkeys.removeOne', { name })} onClick={() => onAsk('remove')}>
          {t('passkeys.remove')}
        </Button>
      </span>
    </li>
  )
}

function Rename({ passkey, onClose }: { passkey: Passkey; onClose: () => void }) {
  const { t } = useTranslation('account')
  const { t: common } = useTranslation()
  const { rename } = usePasskeyChanges()
  const done = () => {
    notify.success(t('passkeys.renamed'))
    onClose()
  }
  return (
    <NameDialog
      opened
      title={t('passkeys.rename')}
      label={t('passkeys.name')}
      submit={t('passkeys.save')}
      initial={passkey.name}
      maxLength={75}
      loading={rename.isPending}
      error={rename.error ? failureText(rename.error, common('errors.message')) : undefined}
      onSubmit={(name) => rename.mutate({ gid: passkey.gid, name }, { onSuccess: done })}
      onClose={onClose}
    />
  )
}
