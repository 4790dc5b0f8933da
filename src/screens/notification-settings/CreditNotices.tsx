import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { creditThresholds, type NotificationSettings } from '../../../server/contracts/notifications'
import { useAccount, useUnlimited } from '../../api/account'
import { ApiFailure, failureText } from '../../api/failure'
import { useCreditNoticeChange } from '../../api/notifications'
import { formatNumber } from '../../i18n/format'
import { Badge } from '../../ui/Badge'
import { Button } from '../../ui/Button'
import { Card } from '../../ui/Card'
import { ConfirmDialog } from '../../ui/ConfirmDialog'
import { IconButton } from '../../ui/IconButton'
import { Switch } from '../../ui/Switch'
import styles from './notificationSettings.module.css'

interface CreditNoticesProps {
  pgid: string
  settings: NotificationSettings['ai_credits_usage']
  readOnly: boolean
  onAdd: () => void
}

/** Mails about AI credits: on or off, thresholds, recipients. Changes are saved at once. */
export function CreditNotices({ pgid, settings, readOnly, onAdd }: CreditNoticesProps) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const { mail_server: mailServer } = useAccount()
  const change = useCreditNoticeChange(pgid)
  const unlimited = useUnlimited()
  const [removing, setRemoving] = useState<string | null>(null)
  // optimistic update
  const { enabled, thresholds, emails, owners, used, max } = {
    ...settings,
    ...(change.isPending ? change.variables : {}),
  }
  const setShare = (share: (typeof creditThresholds)[number], on: boolean) =>
    change.mutate({ thresholds: creditThresholds.filter((each) => (each === share ? on : thresholds.includes(each))) })
  const close = () => {
    setRemoving(null)
    change.reset()
  }
  const problem = change.error && removing === null ? saidBy(change.error, common('errors.message')) : null
  return (
    <Card
      title={t('credits.title')}
      description={t('credits.description')}
      actions={
        <Switch
          aria-label={t('credits.enabled')}
          checked={enabled}
          disabled={readOnly}
          onChange={(event) => change.mutate({ enabled: event.currentTarget.checked })}
        />
      }
    >
      <div className={styles.parts}>
        <p className={styles.hint}>
          {t(unlimited ? 'credits.usedUnlimited' : 'credits.used', {
            used: formatNumber(used),
            max: formatNumber(max),
          })}
        </p>
        {enabled ? (
          <>
            <fieldset className={styles.group}>
              <legend>{t('credits.shares')}</legend>
              <div className={styles.shares}>
                {creditThresholds.map((share) => (
                  <Switch
                    key={share}
                    label={t('credits.share', { share })}
                    checked={thresholds.includes(share)}
                    disabled={readOnly}
                    onChange={(event) => setShare(share, event.currentTarget.checked)}
                  />
                ))}
              </div>
            </fieldset>
            <section className={styles.group} aria-label={t('credits.to')}>
              <h3>{t('credits.to')}</h3>
              {emails.length === 0 && <p className={styles.hint}>{t('credits.owners')}</p>}
              <ul className={styles.addresses}>
                {(emails.length === 0 ? owners : emails).map((email) => (
                  <li key={email}>
                    <span className={styles.address}>{email}</span>
                    {emails.length === 0 ? (
                      <Badge>{t('credits.owner')}</Badge>
                    ) : (
                      !readOnly && (
                        <IconButton
                          size="s"
                          label={t('credits.remove', { email })}
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
                  <Button size="s" icon={<Plus />} onClick={onAdd}>
                    {t('credits.add')}
                  </Button>
                </div>
              )}
            </section>
            {!mailServer && (
              <p className={styles.hint}>
                <Trans
                  t={t}
                  i18nKey="credits.noServer"
                  components={{ outbox: <Link to={`/projects/${pgid}/settings/project/outbox`} /> }}
                />
              </p>
            )}
          </>
        ) : (
          <p className={styles.hint}>{t('credits.off')}</p>
        )}
        {problem && (
          <p role="alert" className={styles.problem}>
            {problem}
          </p>
        )}
      </div>
      {removing !== null && (
        <ConfirmDialog
          opened
          title={t('removing.title')}
          message={t(settings.emails.length === 1 ? 'removing.last' : 'removing.message', { email: removing })}
          confirm={t('removing.confirm')}
          danger
          loading={change.isPending}
          error={change.error ? failureText(change.error, common('errors.message')) : undefined}
          onConfirm={() =>
            change.mutate({ emails: settings.emails.filter((each) => each !== removing) }, { onSuccess: close })
          }
          onClose={close}
        />
      )}
    </Card>
  )
}

const saidBy = (error: unknown, fallback: string): string =>
  (error instanceof ApiFailure && Object.values(error.fields)[0]) || failureText(error, fallback)
