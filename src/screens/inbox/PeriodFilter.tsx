import { useTranslation } from 'react-i18next'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './inbox.module.css'
import { daysSince, useInboxPlace } from './inboxPlace'
import { dayOf, startOf } from './period'

const DAY = 86_400_000
const lengths = [1, 7, 30, 90] as const
const CUSTOM = 'custom'

/** When conversations began: on the last days, or from one day to another by the clock of who looks. */
export function PeriodFilter() {
  const { t } = useTranslation('inbox')
  const { filters, filter } = useInboxPlace()
  const { since, until } = filters
  const now = Date.now()
  const days = since && !until ? String(daysSince(since, now)) : null
  const isCustom = until !== undefined
  const from = since ? dayOf(new Date(since)) : ''
  // the last day is of the period
  const to = until ? dayOf(new Date(Date.parse(until) - 1)) : ''
  const choose = (value: string | null) => {
    if (value !== CUSTOM)
      return filter({ since: value ? new Date(now - Number(value) * DAY).toISOString() : undefined, until: undefined })
    const begins = startOf(dayOf(new Date(now - 6 * DAY)), 0)
    filter({ since: begins, until: startOf(dayOf(new Date(now)), 1) })
  }
  return (
    <>
      <Select
        clearable
        comboboxProps={{ withinPortal: false }}
        label={t('filters.period')}
        data={[
          ...lengths.map((value) => ({ value: String(value), label: t('filters.days', { count: value }) })),
          { value: CUSTOM, label: t('filters.custom') },
        ]}
        value={isCustom ? CUSTOM : days}
        onChange={choose}
      />
      {isCustom && (
        <div className={styles.ends}>
          <TextField
            type="date"
            label={t('filters.from')}
            value={from}
            onChange={({ currentTarget: { value } }) => value && filter({ since: startOf(value, 0) })}
          />
          <TextField
            type="date"
            label={t('filters.to')}
            value={to}
            error={from > to && t('filters.contradiction')}
            onChange={({ currentTarget: { value } }) => value && filter({ until: startOf(value, 1) })}
          />
        </div>
      )}
    </>
  )
}
