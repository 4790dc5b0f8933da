import { Trash2 } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { actionLengths, type LeadField, leadFields } from '../../../../engine/values/agentActions'
import { IconButton } from '../../../ui/IconButton'
import { Select } from '../../../ui/Select'
import { Switch } from '../../../ui/Switch'
import styles from '../actions.module.css'
import { Counted } from '../Counted'
import { useConfig, useDraft } from '../draft'

export function LeadFormFields() {
  const { t } = useTranslation('actions')
  const { errors, readOnly } = useDraft()
  const { config, set } = useConfig('lead-form')
  const { fields } = config
  const change = (at: number, part: Partial<(typeof fields)[number]>) =>
    set({ fields: fields.map((each, index) => (index === at ? { ...each, ...part } : each)) })
  const left = leadFields.filter((field) => !fields.some((each) => each.field === field))
  const add = (field: string | null) => {
    const chosen = left.find((each): each is LeadField => each === field)
    if (chosen) set({ fields: [...fields, { field: chosen, required: false, prefill: '' }] })
  }
  return (
    <>
      <Counted
        label={t('lead.title')}
        path="config.title"
        value={config.title}
        max={actionLengths.text}
        onChange={(title) => set({ title })}
      />
      {errors['config.fields'] && (
        <p role="alert" className={styles.error}>
          {errors['config.fields']}
        </p>
      )}
      {fields.map(({ field, required, prefill }, at) => (
        <fieldset key={field} className={styles.parameter}>
          <legend>{t(`leadField.${field}`)}</legend>
          <Counted
            label={t('lead.prefill')}
            path={`config.fields.${at}.prefill`}
            value={prefill}
            max={actionLengths.prefill}
            onChange={(value) => change(at, { prefill: value })}
          />
          <div className={styles.between}>
            <Switch
              label={t('parameters.required')}
              checked={required}
              disabled={readOnly}
              onChange={(event) => change(at, { required: event.currentTarget.checked })}
            />
            {!readOnly && fields.length > 1 && (
              <IconButton
                size="s"
                label={t('lead.remove', { name: t(`leadField.${field}`) })}
                icon={<Trash2 />}
                onClick={() => set({ fields: fields.filter((each) => each.field !== field) })}
              />
            )}
          </div>
        </fieldset>
      ))}
      {!readOnly && left.length > 0 && (
        <Select
          label={t('lead.add')}
          placeholder={t('lead.addHint')}
          data={left.map((value) => ({ value, label: t(`leadField.${value}`) }))}
          value={null}
          onChange={add}
        />
      )}
      <Counted
        label={t('lead.submit')}
        path="config.submit_label"
        required
        value={config.submit_label}
        max={actionLengths.buttonLabel}
        onChange={(submit_label) => set({ submit_label })}
      />
      <Counted
        label={t('lead.thanks')}
        path="config.thanks"
        value={config.thanks}
        max={actionLengths.message}
        onChange={(thanks) => set({ thanks })}
      />
    </>
  )
}
