import { Plus, X } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../ui/Button'
import { IconButton } from '../../ui/IconButton'
import { Switch } from '../../ui/Switch'
import { TextField } from '../../ui/TextField'
import styles from './aiSettings.module.css'

export interface ModelDraft {
  name: string
  supports_actions: boolean
}

interface ModelsFieldProps {
  models: ModelDraft[]
  /** by field, as the server names them */
  errors: Readonly<Record<string, string>>
  onChange: (models: ModelDraft[]) => void
}

/** The models of an own OpenAI-compatible server. */
export function ModelsField({ models, errors, onChange }: ModelsFieldProps) {
  const { t } = useTranslation('aiSettings')
  const set = (at: number, changes: Partial<ModelDraft>) =>
    onChange(models.map((model, index) => (index === at ? { ...model, ...changes } : model)))
  return (
    <fieldset className={styles.models}>
      <legend className={styles.legend}>{t('dialog.models')}</legend>
      <p className={styles.facts}>{t('dialog.modelsHint')}</p>
      {models.map((model, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
        <div key={at} className={styles.model}>
          <TextField
            aria-label={t('dialog.modelName', { n: at + 1 })}
            value={model.name}
            maxLength={200}
            spellCheck={false}
            error={errors[`models.${at}.name`]}
            onChange={(event) => set(at, { name: event.currentTarget.value })}
          />
          <Switch
            label={t('dialog.toolUse')}
            aria-label={t('dialog.toolUseOf', { n: at + 1 })}
            checked={model.supports_actions}
            onChange={(event) => set(at, { supports_actions: event.currentTarget.checked })}
          />
          {models.length > 1 && (
            <IconButton
              size="s"
              label={t('dialog.removeModel', { n: at + 1 })}
              icon={<X />}
              onClick={() => onChange(models.filter((_, index) => index !== at))}
            />
          )}
        </div>
      ))}
      {errors.models && (
        <p role="alert" className={styles.problem}>
          {errors.models}
        </p>
      )}
      <div>
        <Button size="s" icon={<Plus />} onClick={() => onChange([...models, { name: '', supports_actions: true }])}>
          {t('dialog.addModel')}
        </Button>
      </div>
    </fieldset>
  )
}
