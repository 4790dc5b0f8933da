import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { NoticeName, NotificationSettings } from '../../../server/contracts/notifications'
import { useAccount } from '../../api/account'
import { failureText } from '../../api/failure'
import { useNotificationsChange } from '../../api/notifications'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import styles from './notificationSettings.module.css'

export interface NoticeProps {
  pgid: string
  settings: NotificationSettings
  readOnly: boolean
  onAdd: (name: NoticeName) => void
}

/** Whom mails of one kind go to: addresses, or else the owners. */
export function Addresses({ pgid, name, settings, readOnly, onAdd }: NoticeProps & { name: NoticeName }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const { mail_server: mailServer } = useAccount()
  const change = useNotificationsChange(pgid)
  const [removing, setRemoving] = useState<string | null>(null)
  const { emails } = settings[name]
  const close = () => {
    setRemoving(null)
    change.reset()
  }
  return (
    <section className={styles.group} aria-label={t('addresses.to')}>
      <h3>{t('addresses.to')}</h3>
      {emails.length === 0 && <p className={styles.hint}>{t('addresses.owners')}</p>}
      <ul className={styles.addresses}>
        {(emails.length === 0 ? settings.owners : emails).map((email) => (
          <li key={email}>
            <span className={styles.address}>{email}</span>
            {emails.length === 0 ? (
              <Badge>{t('addresses.owner')}</Badge>
            ) : (
              !readOnly && (
                <IconButton
                  size="s"
                  label={t('addresses.remove', { email })}
                  icon={<X />}
                  onClick={() => setRemoving(email)}
                />
              )
            )}
          </li>
        ))}
      </ul>
      {!readOnly && (
        <div>
          <Button size="s" icon={<Plus />} onClick={() => onAdd(name)}>
            {t('addresses.add')}
          </Button>
        </div>
      )}
      {!mailServer && (
        <p className={styles.hint}>
          <Trans
            t={t}
            i18nKey="addresses.noServer"
            components={{ outbox: <Link to={`/projects/${pgid}/settings/project/outbox`} /> }}
          />
        </p>
      )}
      {removing !== null && (
        <ConfirmDialog
          opened
          title={t('removing.title')}
          message={t(emails.length === 1 ? 'removing.last' : 'removing.message', { email: removing })}
          confirm={t('removing.confirm')}
          danger
          loading={change.isPending}
          error={change.error ? failureText(change.error, common('errors.message')) : undefined}
          onConfirm={() =>
            change.mutate({ [name]: { emails: emails.filter((each) => each !== removing) } }, { onSuccess: close })
          }
          onClose={close}
        />
      )}
    </section>
  )
}
