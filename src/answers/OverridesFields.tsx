import { useQuery } from '@tanstack/react-query'
import { Thermometer } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useCan } from '../api/account'
import { aiSettingsQuery } from '../api/ai'
import { formatTemperature } from '../i18n/format'
import { Select } from '../ui/Select'
import styles from './overridesFields.module.css'
import type { Overrides } from './useAsking'

const AS_SET = ''
const temperatures = Array.from({ length: 11 }, (_, tenth) => tenth / 10)

interface OverridesFieldsProps {
  pgid: string
  cgid: string
  value: Overrides
  onChange: (value: Overrides) => void
}

/**
 * Chooses another model and temperature than the chatbot's for the next questions. Only for people who may see the
 * models.
 */
export function OverridesFields({ pgid, cgid, value, onChange }: OverridesFieldsProps) {
  const { t } = useTranslation('answers')
  const mayView = useCan('ai.view')
  const { data } = useQuery({ ...aiSettingsQuery(pgid, cgid), enabled: mayView })
  if (!data) return null
  const { settings, models } = data
  const own = models.find(({ id }) => id === settings.model_id)?.name ?? String(settings.model_id)
  const { model_id, temperature, ...rest } = value
  return (
    <div className={styles.fields}>
      <Select
        size="xs"
        className={styles.model}
        aria-label={t('settings.model')}
        value={model_id === undefined ? AS_SET : String(model_id)}
        data={[
          { value: AS_SET, label: t('settings.asSet', { name: own }) },
          ...models.map(({ id, name, available }) => ({
            value: String(id),
            label: available ? name : t('settings.noKey', { name }),
            disabled: !available,
          })),
        ]}
        onChange={(chosen) =>
          onChange({
            ...rest,
            ...(temperature !== undefined && { temperature }),
            ...(chosen && { model_id: Number(chosen) }),
          })
        }
      />
      <Select
        size="xs"
        className={styles.temperature}
        aria-label={t('settings.temperature')}
        leftSection={<Thermometer size={13} />}
        leftSectionPointerEvents="none"
        value={temperature === undefined ? AS_SET : String(temperature)}
        data={[
          { value: AS_SET, label: t('settings.asSet', { name: formatTemperature(settings.temperature) }) },
          ...temperatures.map((each) => ({ value: String(each), label: formatTemperature(each) })),
        ]}
        onChange={(chosen) =>
          onChange({
            ...rest,
            ...(model_id !== undefined && { model_id }),
            ...(chosen && { temperature: Number(chosen) }),
          })
        }
      />
    </div>
  )
}
