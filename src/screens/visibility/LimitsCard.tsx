import { useTranslation } from 'react-i18next'
import type { VisibilitySettings } from '../../../server/contracts/web/settings'
import type { SettingsForm } from '../../chatbots/WebSettingsScreen'
import { Card } from '../../ui/Card'
import { TextField } from '../../ui/TextField'
import styles from './visibility.module.css'

type Limits = VisibilitySettings['limits']

/** How many messages a minute are taken, and what whoever sends more is told (SPEC.md 3, end_user_rate_limits). */
export function LimitsCard({ draft: { limits }, change, wrong, readOnly }: SettingsForm<VisibilitySettings>) {
  const { t } = useTranslation('visibility')
  const set = (part: Partial<Limits>) => change({ limits: { ...limits, ...part } })
  return (
    <Card title={t('limits.title')} description={t('limits.description')}>
      <div className={styles.parts}>
        <div className={styles.limits}>
          {(['by_visitor', 'by_address', 'by_chatbot'] as const).map((field) => (
            <TextField
              key={field}
              type="number"
              min={0}
              label={t(`limits.${field}`)}
              placeholder={t('limits.none')}
              value={limits[field] === 0 ? '' : String(limits[field])}
              readOnly={readOnly}
              error={wrong[`limits.${field}`]}
              onChange={(event) => set({ [field]: Math.max(0, Math.floor(Number(event.currentTarget.value) || 0)) })}
            />
          ))}
        </div>
        <TextField
          label={t('limits.message')}
          placeholder={t('limits.messageExample')}
          value={limits.message}
          maxLength={75}
          readOnly={readOnly}
          error={wrong['limits.message']}
          onChange={(event) => set({ message: event.currentTarget.value })}
        />
      </div>
    </Card>
  )
}
