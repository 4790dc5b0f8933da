import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CustomField,
  changedCustomFieldSchema,
  customTypes,
  newCustomFieldSchema,
} from '../../../../server/contracts/customFields'
import { useContactFieldChanges } from '../../../api/contactFields'
import { failureText, fieldsOf } from '../../../api/failure'
import { fieldErrors } from '../../../api/validate'
import { Button } from '../../../ui/Button'
import { ModalActions } from '../../../ui/Modal'
import { Select } from '../../../ui/Select'
import { Switch } from '../../../ui/Switch'
import { TextArea } from '../../../ui/TextArea'
import { TextField } from '../../../ui/TextField'
import styles from './fields.module.css'

/** One own field: its name (once), its type, its choices. */
export function FieldForm({ pgid, field, onClose }: { pgid: string; field: CustomField; onClose: () => void }) {
  const { t } = useTranslation('contacts')
  const { t: common } = useTranslation()
  const { save } = useContactFieldChanges(pgid)
  const [draft, setDraft] = useState(field)
  const [choices, setChoices] = useState(field.choices.join('\n'))
  const [asked, setAsked] = useState(false)
  const isNew = field.gid === ''
  const { gid, name, ...described } = {
    ...draft,
    choices: draft.type === 'choice' ? choices.split('\n').flatMap((line) => line.trim() || []) : [],
  }
  const problems = isNew
    ? fieldErrors(newCustomFieldSchema, { name, ...described })
    : fieldErrors(changedCustomFieldSchema, described)
  const wrong: Readonly<Record<string, string>> = asked ? { ...fieldsOf(save.error), ...problems } : {}
  function submit(event: SubmitEvent): void {
    event.preventDefault()
    setAsked(true)
    if (Object.keys(problems).length > 0) return
    save.mutate({ gid, name, ...described }, { onSuccess: onClose })
  }
  return (
    <form onSubmit={submit} noValidate className={styles.form}>
      <TextField
        data-autofocus
        label={t('own.name')}
        description={t('own.nameHint')}
        value={draft.name}
        readOnly={!isNew}
        error={wrong.name}
        onChange={({ currentTarget: { value } }) => setDraft({ ...draft, name: value })}
      />
      <Select
        label={t('own.type')}
        allowDeselect={false}
        data={customTypes.map((value) => ({ value, label: t(`own.types.${value}`) }))}
        value={draft.type}
        onChange={(value) => {
          const type = customTypes.find((each) => each === value)
          if (type) setDraft({ ...draft, type })
        }}
      />
      {draft.type === 'choice' && (
        <TextArea
          label={t('own.choices')}
          description={t('own.choicesHint')}
          minRows={3}
          autosize
          value={choices}
          error={Object.entries(wrong).find(([path]) => path.startsWith('choices'))?.[1]}
          onChange={({ currentTarget: { value } }) => setChoices(value)}
        />
      )}
      <Switch
        label={t('own.column')}
        checked={draft.in_table}
        onChange={({ currentTarget: { checked } }) => setDraft({ ...draft, in_table: checked })}
      />
      {save.error && Object.keys(wrong).length === 0 && (
        <p role="alert" className={styles.problem}>
          {failureText(save.error, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={save.isPending}>
          {common('actions.save')}
        </Button>
      </ModalActions>
    </form>
  )
}
