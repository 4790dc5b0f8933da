import { useTranslation } from 'react-i18next'
import { useNotificationsChange } from '../../api/notifications'
import { Card } from '../../ui/Card'
import { Switch } from '../../ui/Switch'
import { Addresses, type NoticeProps } from './Addresses'
import { failureOf } from './failureOf'
import styles from './notificationSettings.module.css'

/** Mails about each new contact, or each new conversation (SPEC.md 3). */
export function NewRowNotices({ name, ...props }: NoticeProps & { name: 'new_contact' | 'new_conversation' }) {
  const { t } = useTranslation('notifications')
  const { t: common } = useTranslation()
  const change = useNotificationsChange(props.pgid)
  // optimistic
  const enabled = (change.isPending && change.variables[name]?.enabled) || props.settings[name].enabled
  return (
    <Card
      title={t(`notices.${name}.title`)}
      description={t(`notices.${name}.description`)}
      actions={
        <Switch
          aria-label={t(`notices.${name}.enabled`)}
          checked={enabled}
          disabled={props.readOnly}
          onChange={(event) => change.mutate({ [name]: { enabled: event.currentTarget.checked } })}
        />
      }
    >
      <div className={styles.parts}>
        {enabled ? <Addresses name={name} {...props} /> : <p className={styles.hint}>{t(`notices.${name}.off`)}</p>}
        {change.error && (
          <p role="alert" className={styles.problem}>
            {failureOf(change.error, common('errors.message'))}
          </p>
        )}
      </div>
    </Card>
  )
}
