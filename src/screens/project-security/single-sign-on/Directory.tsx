import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SignOn } from '../../../../server/contracts/signOn'
import { failureText } from '../../../api/failure'
import { useSignOnChanges } from '../../../api/signOn'
import { formatDate, formatSince } from '../../../i18n/format'
import { Button } from '../../../ui/Button'
import { ConfirmDialog } from '../../../ui/ConfirmDialog'
import { CopyField } from '../../../ui/CopyField'
import { notify } from '../../../ui/notify'
import styles from './singleSignOn.module.css'

interface DirectoryProps {
  pgid: string
  signOn: Pick<SignOn, 'scim' | 'scim_address'>
  mayChange: boolean
}

/** Where the organisation's directory adds and removes people, and the token that it needs. */
export function Directory({ pgid, signOn: { scim, scim_address }, mayChange }: DirectoryProps) {
  const { t } = useTranslation('signOn')
  const { t: common } = useTranslation()
  const { makeToken, deleteToken } = useSignOnChanges(pgid)
  const [asking, setAsking] = useState<'renew' | 'delete' | null>(null)
  const asked = asking === 'delete' ? deleteToken : makeToken
  const close = () => {
    makeToken.reset()
    deleteToken.reset()
    setAsking(null)
  }
  // the dialog shows what failed; without one there is only this
  const make = () =>
    makeToken.mutate(undefined, {
      onSuccess: () => setAsking(null),
      onError: (error) => asking === null && notify.error(failureText(error, common('errors.message'))),
    })
  const token = makeToken.data?.token
  return (
    <section className={styles.form} aria-label={t('directory.title')}>
      <div>
        <h3 className={styles.legend}>{t('directory.title')}</h3>
        <p className={styles.muted}>{t('directory.description')}</p>
      </div>
      <CopyField label={t('directory.address')} value={scim_address} />
      {token && scim && (
        <div>
          <CopyField label={t('directory.token')} value={token} />
          <p className={styles.muted}>{t('directory.once')}</p>
        </div>
      )}
      {scim && (
        <p className={styles.muted}>
          {t('directory.made', { preview: scim.preview, day: formatDate(scim.created_at) })}{' '}
          {scim.last_used_at ? t('directory.used', { when: formatSince(scim.last_used_at) }) : t('directory.unused')}
        </p>
      )}
      {mayChange && (
        <div className={styles.actions}>
          <Button loading={makeToken.isPending} onClick={() => (scim ? setAsking('renew') : make())}>
            {t(scim ? 'directory.renew' : 'directory.make')}
          </Button>
          {scim && <Button onClick={() => setAsking('delete')}>{t('directory.delete')}</Button>}
        </div>
      )}
      <ConfirmDialog
        opened={asking !== null}
        danger={asking === 'delete'}
        title={t(asking === 'delete' ? 'directory.deleteTitle' : 'directory.renewTitle')}
        message={t(asking === 'delete' ? 'directory.deleteMessage' : 'directory.renewMessage')}
        confirm={t(asking === 'delete' ? 'directory.delete' : 'directory.renew')}
        loading={asked.isPending}
        error={asked.error ? failureText(asked.error, common('errors.message')) : undefined}
        onConfirm={() => (asking === 'delete' ? deleteToken.mutate(undefined, { onSuccess: close }) : make())}
        onClose={close}
      />
    </section>
  )
}
