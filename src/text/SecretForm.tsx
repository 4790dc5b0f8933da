import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SECRET_NAME, secretCaps } from '../../engine/values/secrets'
import { Button } from '../ui/Button'
import { PasswordField } from '../ui/PasswordField'
import { TextField } from '../ui/TextField'
import type { CreateSecret } from './flowScope'
import styles from './text.module.css'

/** Creates a secret of the project in place: once saved, nobody can read its value. */
export function SecretForm({
  name: given = '',
  create,
  onMade,
  onCancel,
  inDialog = false,
}: {
  /** a given name: then its value is asked for first */
  name?: string | undefined
  create: CreateSecret
  onMade: (name: string) => void
  onCancel: () => void
  /** with a dialog's buttons */
  inDialog?: boolean
}) {
  const { t } = useTranslation('text')
  const [name, setName] = useState(given)
  const [value, setValue] = useState('')
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const first = useRef<HTMLInputElement>(null)
  // focus the first field: a dialog does so itself, a floating panel does not
  useEffect(() => first.current?.focus(), [])
  const isValid = SECRET_NAME.test(name.trim()) && value.trim() !== ''
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    // don't submit a surrounding form
    event.stopPropagation()
    if (!isValid) return setProblem(t('secrets.incomplete'))
    setSaving(true)
    try {
      onMade(await create({ name: name.trim(), value }))
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
      setSaving(false)
    }
  }
  return (
    <form
      className={styles.secretForm}
      aria-label={t('secrets.new')}
      onSubmit={(event) => void submit(event)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        onCancel()
      }}
    >
      <TextField
        label={t('secrets.name')}
        placeholder={t('secrets.example')}
        ref={given === '' ? first : undefined}
        data-autofocus={given === '' || undefined}
        maxLength={secretCaps.name}
        value={name}
        onChange={(event) => setName(event.currentTarget.value.replaceAll(' ', '_'))}
      />
      <PasswordField
        label={t('secrets.value')}
        revealLabel={t('secrets.reveal')}
        autoComplete="off"
        ref={given === '' ? undefined : first}
        data-autofocus={given !== '' || undefined}
        maxLength={secretCaps.value}
        value={value}
        onChange={(event) => setValue(event.currentTarget.value)}
      />
      <p className={styles.secretHint}>{t('secrets.hint')}</p>
      {problem && (
        <div className={styles.pickerError} role="alert">
          {problem}
        </div>
      )}
      <div className={styles.secretActions}>
        <Button size={inDialog ? undefined : 's'} onClick={onCancel}>
          {t('secrets.cancel')}
        </Button>
        <Button size={inDialog ? undefined : 's'} design="primary" type="submit" loading={saving}>
          {t('secrets.save')}
        </Button>
      </div>
    </form>
  )
}
