import { useTranslation } from 'react-i18next'
import type { Model } from '../../../server/contracts/ai'
import { formatNumber } from '../../i18n/format'
import { Card } from '../../ui/Card'
import { Select } from '../../ui/Select'
import styles from './aiSettings.module.css'
import type { PartProps } from './partProps'

interface Option {
  value: string
  label: string
  disabled?: boolean
}

/** The model, and its fallback. */
export function ModelCard({ view: { models, premium, settings }, draft, errors, readOnly, onChange }: PartProps) {
  const { t } = useTranslation('aiSettings')
  const model = models.find(({ id }) => id === draft.model_id)
  const fallbacks = models.filter(({ id }) => id !== draft.model_id)
  const choices = useChoices(models, premium, settings.model_id)
  const fallbackChoices = useChoices(fallbacks, premium, settings.fallback_model_id)
  const describe = useDescription()
  const about = (option: Option) => {
    const found = models.find(({ id }) => String(id) === option.value)
    return (
      <span className={styles.option}>
        <span>{option.label}</span>
        {found && <span className={styles.about}>{describe(found, premium)}</span>}
      </span>
    )
  }
  return (
    <Card title={t('model.title')} description={t('model.description')}>
      <div className={styles.fields}>
        <div>
          <Select
            label={t('model.label')}
            data={choices}
            value={String(draft.model_id)}
            searchable={!readOnly}
            readOnly={readOnly}
            allowDeselect={false}
            maxDropdownHeight={320}
            nothingFoundMessage={t('model.noMatch')}
            error={errors.model_id}
            renderOption={({ option }) => about(option)}
            onChange={(value) => {
              const id = Number(value)
              onChange({ model_id: id, ...(draft.fallback_model_id === id && { fallback_model_id: null }) })
            }}
          />
          <About model={model} premium={premium} />
        </div>
        <Select
          label={t('model.fallback')}
          description={t('model.fallbackHint')}
          data={[{ value: '', label: t('model.none') }, ...fallbackChoices]}
          value={draft.fallback_model_id === null ? '' : String(draft.fallback_model_id)}
          searchable={!readOnly}
          readOnly={readOnly}
          allowDeselect={false}
          maxDropdownHeight={320}
          nothingFoundMessage={t('model.noMatch')}
          error={errors.fallback_model_id}
          renderOption={({ option }) => about(option)}
          onChange={(value) => onChange({ fallback_model_id: value ? Number(value) : null })}
        />
      </div>
    </Card>
  )
}

/** Notes about the chosen model. */
function About({ model, premium }: { model: Model | undefined; premium: boolean }) {
  const { t } = useTranslation('aiSettings')
  const describe = useDescription()
  if (!model) return <p className={styles.warning}>{t('model.goneNote')}</p>
  const provider = model.provider === null ? '' : t(`provider.${model.provider}`)
  const warnings = [
    ...(model.available ? [] : [t('model.needsKeyNote', { model: model.name, provider })]),
    ...(model.premium && !premium ? [t('model.notInPlanNote', { model: model.name })] : []),
    ...(model.supports_actions ? [] : [t('model.noActions')]),
  ]
  return (
    <>
      <p className={styles.note}>{model.provider === null ? t('model.builtInNote') : describe(model, premium)}</p>
      {warnings.map((warning) => (
        <p key={warning} className={styles.warning}>
          {warning}
        </p>
      ))}
    </>
  )
}

/** Credits, context and obstacles on one line. */
function useDescription() {
  const { t } = useTranslation('aiSettings')
  return (model: Model, premium: boolean): string =>
    [
      model.credits === 0
        ? t('model.free')
        : t('model.credits', { count: model.credits, credits: formatNumber(model.credits) }),
      ...(model.provider === null
        ? []
        : [
            model.context === null
              ? t('model.contextUnknown')
              : t('model.context', { tokens: formatNumber(model.context) }),
          ]),
      ...(model.available ? [] : [t('model.needsKey')]),
      ...(model.premium ? [premium ? t('model.premium') : t('model.notInPlan')] : []),
    ].join(' · ')
}

/** The models by provider; unavailable ones are disabled, except the saved one. */
function useChoices(models: Model[], premium: boolean, saved: number | null): { group: string; items: Option[] }[] {
  const { t } = useTranslation('aiSettings')
  const groups = new Map<string, Option[]>()
  for (const model of models) {
    const group = model.provider === null ? t('model.builtIn') : t(`provider.${model.provider}`)
    const disabled = model.id !== saved && (!model.available || (model.premium && !premium))
    groups.set(group, [...(groups.get(group) ?? []), { value: String(model.id), label: model.name, disabled }])
  }
  const gone = saved !== null && models.every(({ id }) => id !== saved)
  return [
    ...[...groups].map(([group, items]) => ({ group, items })),
    ...(gone ? [{ group: '', items: [{ value: String(saved), label: t('model.gone') }] }] : []),
  ]
}
