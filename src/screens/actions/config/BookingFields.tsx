import { useTranslation } from 'react-i18next'
import { actionLengths } from '../../../../engine/values/agentActions'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig } from '../draft'

export function BookingFields() {
  const { t } = useTranslation('actions')
  const { config, set } = useConfig('booking')
  return (
    <>
      <Counted
        label={t('booking.url')}
        path="config.url"
        required
        mono
        placeholder="https://calendly.com/your-name/30min"
        value={config.url}
        max={actionLengths.url}
        onChange={(url) => set({ url })}
      />
      <Counted
        label={t('booking.label')}
        path="config.label"
        required
        value={config.label}
        max={actionLengths.buttonLabel}
        onChange={(label) => set({ label })}
      />
      <p className={styles.hint}>{t('booking.prefill')}</p>
      <div className={styles.pair}>
        <Counted
          label={t('booking.name')}
          path="config.name"
          value={config.name}
          max={actionLengths.prefill}
          onChange={(name) => set({ name })}
        />
        <Counted
          label={t('booking.email')}
          path="config.email"
          value={config.email}
          max={actionLengths.prefill}
          onChange={(email) => set({ email })}
        />
      </div>
      <Counted
        label={t('booking.phone')}
        path="config.phone"
        value={config.phone}
        max={actionLengths.phonePrefill}
        onChange={(phone) => set({ phone })}
      />
    </>
  )
}
