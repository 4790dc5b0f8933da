import { useTranslation } from 'react-i18next'
import { useUnlimited } from '../../api/account'
import { formatDate, formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { TextField } from '../../ui/TextField'
import styles from './aiSettings.module.css'
import { type BudgetField, readCredits } from './draft'
import type { PartProps } from './partProps'

/** The shares from which a bar shows a warning. */
const NEARLY = [0.9, 0.75, 0.5]

/** The credits used this month, and the budgets of this chatbot and of a visitor. */
export function CreditsCard({ view: { credits, settings }, draft, errors, readOnly, onChange }: PartProps) {
  const { t } = useTranslation('aiSettings')
  const unlimited = useUnlimited()
  const now = new Date()
  const day = formatDate(new Date(now.getUTCFullYear(), now.getUTCMonth() + 1, 1))
  const { month, lifetime, chatbot_month } = credits
  const left = lifetime.max - lifetime.used
  const budget = (field: BudgetField) => ({
    value: draft[field],
    inputMode: 'decimal' as const,
    readOnly,
    error:
      readCredits(draft[field]) === undefined ? t('credits.wrongNumber', { text: draft[field].trim() }) : errors[field],
  })
  return (
    <Card title={t('credits.title')} description={t('credits.description', { day })}>
      <div className={styles.fields}>
        <Bar
          label={t('credits.month')}
          {...month}
          unlimited={unlimited}
          over={left <= 0 ? t('credits.over', { day }) : null}
        />
        {lifetime.max > 0 && <Bar label={t('credits.lifetime')} {...lifetime} over={null} />}
        <Bar
          label={t('credits.chatbot')}
          used={chatbot_month}
          max={settings.monthly_budget}
          over={t('credits.over', { day })}
        />
        <div className={styles.pair}>
          <TextField
            label={t('credits.monthly')}
            description={t('credits.monthlyHint')}
            {...budget('monthly_budget')}
            onChange={(event) => onChange({ monthly_budget: event.currentTarget.value })}
          />
          <TextField
            label={t('credits.visitor')}
            description={t('credits.visitorHint')}
            {...budget('visitor_budget')}
            onChange={(event) => onChange({ visitor_budget: event.currentTarget.value })}
          />
        </div>
      </div>
    </Card>
  )
}

interface BarProps {
  label: string
  used: number
  /** null: no limit of its own */
  max: number | null
  unlimited?: boolean
  /** shown when nothing is left; null: nothing */
  over: string | null
}

function Bar({ label, used, max: bound, unlimited = false, over }: BarProps) {
  const { t } = useTranslation('aiSettings')
  const max = unlimited ? null : bound
  const share = max === null ? 0 : max === 0 ? 1 : Math.min(1, used / max)
  const passed = NEARLY.find((part) => share >= part)
  const words =
    max === null
      ? t(unlimited ? 'credits.unlimited' : 'credits.used', { used: formatNumber(used) })
      : t('credits.of', { used: formatNumber(used), max: formatNumber(max) })
  const note = max === null ? null : share >= 1 ? over : passed ? t('credits.nearly', { percent: passed * 100 }) : null
  return (
    <div>
      <div className={styles.barHead}>
        <span>{label}</span>
        <span className={styles.number}>{words}</span>
      </div>
      {max !== null && (
        <div aria-hidden="true" className={styles.bar}>
          <div
            className={styles.filled}
            data-tone={share >= 1 ? 'danger' : share >= 0.75 ? 'warning' : undefined}
            style={{ width: `${share * 100}%` }}
          />
        </div>
      )}
      {note && <p className={styles.note}>{note}</p>}
    </div>
  )
}
