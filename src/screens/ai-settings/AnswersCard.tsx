import { useTranslation } from 'react-i18next'
import { aiLanguages } from '../../../engine/values/aiLanguages'
import { formatTemperature } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import { Slider } from '../../ui/Slider'
import { Switch } from '../../ui/Switch'
import { TextArea } from '../../ui/TextArea'
import styles from './aiSettings.module.css'
import type { PartProps } from './partProps'

/** The wording of answers, and addresses that they never link to. */
export function AnswersCard({ draft, errors, readOnly, onChange }: PartProps) {
  const { t } = useTranslation('aiSettings')
  const hidden = Object.entries(errors).find(([field]) => field.startsWith('hide_urls'))?.[1]
  return (
    <Card title={t('answers.title')}>
      <div className={styles.fields}>
        <Select
          label={t('answers.language')}
          description={t('answers.languageHint')}
          data={[...aiLanguages]}
          value={draft.language}
          searchable={!readOnly}
          readOnly={readOnly}
          allowDeselect={false}
          nothingFoundMessage={t('answers.noLanguage')}
          error={errors.language}
          onChange={(value) => onChange({ language: aiLanguages.find((name) => name === value) ?? 'Auto' })}
        />
        <Slider
          label={t('answers.temperature')}
          description={t('answers.temperatureHint')}
          value={draft.temperature}
          min={0}
          max={1}
          step={0.1}
          shown={formatTemperature(draft.temperature)}
          ends={[t('answers.precise'), t('answers.free')]}
          readOnly={readOnly}
          error={errors.temperature}
          onChange={(value) => onChange({ temperature: Math.round(value * 10) / 10 })}
        />
        <Switch
          label={t('answers.suggestions')}
          description={t('answers.suggestionsHint')}
          checked={draft.suggestions}
          disabled={readOnly}
          onChange={(event) => onChange({ suggestions: event.currentTarget.checked })}
        />
        <TextArea
          label={t('answers.hidden')}
          description={t('answers.hiddenHint')}
          value={draft.hide_urls}
          readOnly={readOnly}
          spellCheck={false}
          autoCapitalize="none"
          error={hidden}
          onChange={(event) => onChange({ hide_urls: event.currentTarget.value })}
        />
      </div>
    </Card>
  )
}
