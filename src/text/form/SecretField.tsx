import { KeyRound } from 'lucide-react'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type DynamicValue,
  dynamicValueVariables,
  isBlankValue,
  staticValue,
} from '../../../engine/values/dynamicValue'
import { secretCaps, secretIdOf } from '../../../engine/values/secrets'
import { Button } from '../../ui/Button'
import { PasswordField } from '../../ui/PasswordField'
import { useFlowScope } from '../flowScope'
import { DynamicControl } from './DynamicControl'
import { errorId, FieldFrame } from './FieldFrame'
import styles from './form.module.css'
import { useField, useForm } from './formContext'

/**
 * A password, token or key. What is typed becomes a secret of the project, and the block contains only its chip;
 * alternatively a variable (such as a token from another request) or another secret is chosen below. Plain text, for
 * example from an import, can be saved as a secret.
 * @param like the suggested name of a new secret
 */
export function SecretField({ name, max, like }: { name: string; max: number; like: string }) {
  const { t } = useTranslation('text')
  const { document } = useForm()
  const field = useField<DynamicValue | undefined>(name)
  const create = useFlowScope().secrets?.create
  const [typed, setTyped] = useState('')
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [saved, setSaved] = useState<string | null>(null)
  const value = field.value ?? staticValue('')
  const isEmpty = isBlankValue(value)
  const plain = !isEmpty && dynamicValueVariables(value).length === 0 && value.type === 'static' ? value.value : null

  const save = async (text: string) => {
    if (!create || text.trim() === '' || saving) return
    setSaving(true)
    setProblem(null)
    try {
      const made = await create({ like, value: text })
      document.commands.batch(() =>
        field.set({ type: 'dynamic', parts: [{ type: 'variable', variable_id: secretIdOf(made) }] }),
      )
      setTyped('')
      setSaved(made)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    } finally {
      setSaving(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    void save(typed)
  }
  return (
    <FieldFrame field={{ ...field, error: problem ?? field.error }}>
      <div className={styles.secretParts}>
        {create && isEmpty && !field.readOnly && (
          <form className={styles.secret} onSubmit={submit}>
            <PasswordField
              aria-label={t('secrets.type', { field: field.label })}
              revealLabel={t('secrets.reveal')}
              placeholder={field.placeholder}
              autoComplete="off"
              maxLength={secretCaps.value}
              value={typed}
              aria-describedby={errorId(field.id)}
              onChange={(event) => setTyped(event.currentTarget.value)}
              // leaving the field saves
              onBlur={() => void save(typed)}
            />
            <Button
              size="s"
              type="submit"
              icon={<KeyRound size={13} />}
              loading={saving}
              disabled={typed.trim() === ''}
            >
              {t('secrets.saveAs')}
            </Button>
          </form>
        )}
        <DynamicControl field={isEmpty ? { ...field, placeholder: t('secrets.choose') } : field} max={max} secrets />
        {plain !== null && create && !field.readOnly && (
          <div className={styles.secret}>
            <span className={styles.help}>{t('secrets.open')}</span>
            <Button size="s" icon={<KeyRound size={13} />} loading={saving} onClick={() => void save(plain)}>
              {t('secrets.saveAs')}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.secretSaved} role="status">
        {saved && !isEmpty && t('secrets.saved', { name: saved })}
      </div>
    </FieldFrame>
  )
}
