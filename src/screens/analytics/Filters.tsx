import { useTranslation } from 'react-i18next'
import type { AnalyticsDetail, AnalyticsFilter } from '../../../server/contracts/analytics'
import { Select } from '../../ui/Select'
import { TextField } from '../../ui/TextField'
import styles from './analytics.module.css'
import { type Preset, presets, zonesWith } from './useFilter'

const ALL = ''

/** Which conversations the figures are of. */
export function Filters({
  filter,
  preset,
  channels,
  onChange,
}: {
  filter: AnalyticsFilter
  preset: Preset
  channels: AnalyticsDetail['channels']
  onChange: (changed: Record<string, string | null>) => void
}) {
  const { t } = useTranslation('analytics')
  const names = [...new Set([...channels.map(({ name }) => name), ...(filter.channel ? [filter.channel] : [])])]
  return (
    <div className={styles.filters}>
      <Select
        size="xs"
        label={t('period')}
        allowDeselect={false}
        data={presets.map((value) => ({ value, label: t(`periods.${value}`) }))}
        value={preset}
        onChange={(value) =>
          onChange({ period: value, ...(value === 'custom' && { from: filter.from, to: filter.to }) })
        }
      />
      {preset === 'custom' && (
        <>
          <TextField
            type="date"
            size="xs"
            label={t('from')}
            value={filter.from}
            onChange={({ currentTarget: { value } }) => onChange({ from: value })}
          />
          <TextField
            type="date"
            size="xs"
            label={t('to')}
            value={filter.to}
            error={filter.from > filter.to && t('contradiction')}
            onChange={({ currentTarget: { value } }) => onChange({ to: value })}
          />
        </>
      )}
      <Select
        size="xs"
        label={t('environment')}
        allowDeselect={false}
        data={[
          { value: ALL, label: t('environments.all') },
          { value: 'production', label: t('environments.production') },
          { value: 'sharing', label: t('environments.sharing') },
        ]}
        value={filter.environment ?? ALL}
        onChange={(value) => onChange({ environment: value || null })}
      />
      {names.length > 1 && (
        <Select
          size="xs"
          label={t('channel')}
          allowDeselect={false}
          data={[{ value: ALL, label: t('allChannels') }, ...names.map((value) => ({ value, label: value }))]}
          value={filter.channel ?? ALL}
          onChange={(value) => onChange({ channel: value || null })}
        />
      )}
      <Select
        size="xs"
        label={t('zone')}
        allowDeselect={false}
        data={zonesWith(filter.zone)}
        value={filter.zone}
        onChange={(value) => onChange({ zone: value })}
      />
    </div>
  )
}
