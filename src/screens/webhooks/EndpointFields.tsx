import { useTranslation } from 'react-i18next'
import { webhookEvents } from '../../../server/contracts/webhookEvents'
import { type WebhookSettings, webhookCaps } from '../../../server/contracts/webhooks'
import { Button } from '../../ui/Button'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import { eventName } from './eventName'
import styles from './webhooks.module.css'

interface EndpointFieldsProps {
  draft: WebhookSettings
  wrong: Readonly<Record<string, string>>
  readOnly?: boolean
  onChange: (draft: WebhookSettings) => void
}

/** Where to send, what, and how much of it. */
export function EndpointFields({ draft, wrong, readOnly = false, onChange }: EndpointFieldsProps) {
  const { t } = useTranslation('webhooks')
  const edit = (part: Partial<WebhookSettings>) => onChange({ ...draft, ...part })
  const isAll = draft.events.length === webhookEvents.length
  return (
    <div className={styles.fields}>
      <TextField
        label={t('fields.url')}
        description={t('fields.urlHint')}
        placeholder={t('fields.urlPlaceholder')}
        value={draft.url}
        spellCheck={false}
        readOnly={readOnly}
        error={wrong.url}
        data-autofocus
        onChange={(event) => edit({ url: event.currentTarget.value })}
      />
      <TextField
        label={t('fields.description')}
        value={draft.description}
        readOnly={readOnly}
        maxLength={webhookCaps.description}
        error={wrong.description}
        onChange={(event) => edit({ description: event.currentTarget.value })}
      />
      <fieldset className={styles.events} disabled={readOnly}>
        <legend>{t('fields.events')}</legend>
        {!readOnly && (
          <Button size="s" design="ghost" onClick={() => edit({ events: isAll ? [] : [...webhookEvents] })}>
            {isAll ? t('fields.none') : t('fields.all')}
          </Button>
        )}
        <div className={styles.choices}>
          {webhookEvents.map((event) => (
            <label key={event} className={styles.event}>
              <input
                type="checkbox"
                checked={draft.events.includes(event)}
                onChange={({ currentTarget: { checked } }) =>
                  edit({
                    events: webhookEvents.filter((each) => (each === event ? checked : draft.events.includes(each))),
                  })
                }
              />
              <span>
                {t(eventName(event))}
                <code>{event}</code>
              </span>
            </label>
          ))}
        </div>
        {wrong.events && (
          <p role="alert" className={styles.alert}>
            {wrong.events}
          </p>
        )}
      </fieldset>
      <Switch
        label={t('fields.personal')}
        description={t('fields.personalHint')}
        checked={draft.personal}
        disabled={readOnly}
        onChange={(event) => edit({ personal: event.currentTarget.checked })}
      />
    </div>
  )
}
