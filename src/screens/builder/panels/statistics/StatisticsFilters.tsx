import { useTranslation } from 'react-i18next'
import { Select } from '../../../../ui/Select'
import { TextField } from '../../../../ui/TextField'
import styles from '../StatisticsPanel.module.css'
import { periods, useStatisticsView } from './statisticsView'

const environments = ['sharing', 'production'] as const

/** Filters of the counted conversations. @param versions those with conversations */
export function StatisticsFilters({
  versions,
  contradiction,
}: {
  versions: readonly number[]
  contradiction: boolean
}) {
  const { t } = useTranslation('statistics')
  const view = useStatisticsView()
  const set = useStatisticsView.setState
  const known = view.version === null || versions.includes(view.version) ? versions : [view.version, ...versions]
  return (
    <div className={styles.filters}>
      <Select
        className={styles.wide}
        size="xs"
        label={t('period')}
        allowDeselect={false}
        data={periods.map((value) => ({ value, label: t(`periods.${value}`) }))}
        value={view.period}
        onChange={(value) => set({ period: periods.find((period) => period === value) ?? '30' })}
      />
      {view.period === 'custom' && (
        <>
          <TextField
            type="date"
            size="xs"
            label={t('from')}
            value={view.from}
            onChange={({ currentTarget: { value } }) => set({ from: value })}
          />
          <TextField
            type="date"
            size="xs"
            label={t('to')}
            value={view.to}
            error={contradiction && t('contradiction')}
            onChange={({ currentTarget: { value } }) => set({ to: value })}
          />
        </>
      )}
      <Select
        size="xs"
        label={t('environment')}
        allowDeselect={false}
        data={[
          { value: 'all', label: t('environments.all') },
          ...environments.map((value) => ({ value, label: t(`environments.${value}`) })),
        ]}
        value={view.environment ?? 'all'}
        onChange={(value) => set({ environment: environments.find((one) => one === value) ?? null })}
      />
      <Select
        size="xs"
        label={t('version')}
        allowDeselect={false}
        data={[
          { value: '', label: t('allVersions') },
          ...known.map((number) => ({ value: String(number), label: t('oneVersion', { number }) })),
        ]}
        value={view.version === null ? '' : String(view.version)}
        onChange={(value) => set({ version: value ? Number(value) : null })}
      />
    </div>
  )
}
