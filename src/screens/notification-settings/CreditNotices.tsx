import { useTranslation } from 'react-i18next'
import { creditThresholds } from '../../../server/contracts/notifications'
import { useUnlimited } from '../../api/account'
import { useNotificationsChange } from '../../api/notifications'
import { formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { Switch } from '../../ui/Switch'
import { Addresses, type NoticeProps } from './Addresses'
import { failureOf } from './failureOf'
import styles from './notificationSettings.module.css'

/** Mails about AI credits: on or off, thresholds, recipients. Changes are saved at once. */
export function CreditNotices({ pgid, settings, readOnly, onAdd }: NoticeProps) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const change = useNotificationsChange(pgid)
  const unlimited = useUnlimited()
  // optimistic update
  const { enabled, thresholds, used, max } = {
    ...settings.ai_credits_usage,
    ...(change.isPending ? change.variables.ai_credits_usage : {}),
  }
  const setShare = (share: (typeof creditThresholds)[number], on: boolean) =>
    change.mutate({
      ai_credits_usage: {
        thresholds: creditThresholds.filter((each) => (each === share ? on : thresholds.includes(each))),
      },
    })
  const problem = change.error ? failureOf(change.error, common('errors.message')) : null
  return (
    <Card
      title={t('credits.title')}
      description={t('credits.description')}
      actions={
        <Switch
          aria-label={t('credits.enabled')}
          checked={enabled}
          disabled={readOnly}
          onChange={(event) => change.mutate({ ai_credits_usage: { enabled: event.currentTarget.checked } })}
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
            <Addresses name="ai_credits_usage" pgid={pgid} settings={settings} readOnly={readOnly} onAdd={onAdd} />
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
    </Card>
  )
}
