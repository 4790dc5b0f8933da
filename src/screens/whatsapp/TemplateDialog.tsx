import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateDraft } from '../../../server/contracts/whatsappTemplates'
import { ApiFailure, failureText } from '../../api/failure'
import type { ChatbotPlace } from '../../api/whatsapp'
import { useTemplateChanges } from '../../api/whatsappTemplates'
import { TemplatePreview } from '../../text/TemplatePreview'
import { Button } from '../../ui/Button'
import { Modal, ModalActions, ModalText } from '../../ui/Modal'
import { notify } from '../../ui/notify'
import { Select } from '../../ui/Select'
import { TextArea } from '../../ui/TextArea'
import { TextField } from '../../ui/TextField'
import { TemplateHeading } from './TemplateHeading'
import styles from './templates.module.css'

interface TemplateDialogProps {
  place: ChatbotPlace
  opened: boolean
  onClose: () => void
}

/** A new template, which WhatsApp approves before it can be sent. */
export function TemplateDialog(props: TemplateDialogProps) {
  const { t } = useTranslation('whatsapp')
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={t('template.title')} size="lg">
      <TemplateForm {...props} />
    </Modal>
  )
}

const EMPTY: TemplateDraft = {
  ...{
    name: '',
    language: 'en',
    category: 'UTILITY',
    header: '',
    media: null,
    body: '',
    examples: [],
    footer: '',
    buttons: [],
  },
}
const BUTTONS = [0, 1, 2] as const

function TemplateForm({ place, onClose }: TemplateDialogProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const [draft, setDraft] = useState(EMPTY)
  const { submit } = useTemplateChanges(place)
  const { error } = submit
  const fields: Partial<Record<string, string>> = error instanceof ApiFailure ? error.fields : {}
  const failed = error && Object.keys(fields).length === 0 ? error : null
  const edit = (part: Partial<TemplateDraft>) => {
    submit.reset()
    setDraft({ ...draft, ...part })
  }
  const names = [...new Set([...draft.body.matchAll(/\{\{(\d{1,2})\}\}/g)].map(([, name = '']) => name))].toSorted(
    (one, two) => Number(one) - Number(two),
  )
  const put = (list: readonly string[], at: number, value: string) =>
    Array.from({ length: Math.max(list.length, at + 1) }, (_, each) => (each === at ? value : (list[each] ?? '')))
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    const { name } = draft
    const buttons = draft.buttons.filter((label) => label.trim() !== '')
    submit.mutate(
      { ...draft, buttons, examples: names.map((_, at) => draft.examples[at] ?? '') },
      {
        onSuccess: () => {
          notify.success(t('template.done', { name }))
          onClose()
        },
      },
    )
  }
  const text = (name: 'name' | 'language' | 'footer', most: number, hint?: string) => (
    <TextField
      label={t(`template.${name}`)}
      description={hint}
      value={draft[name]}
      maxLength={most}
      error={fields[name]}
      onChange={(event) => edit({ [name]: event.currentTarget.value })}
    />
  )
  return (
    <form onSubmit={send} noValidate className={styles.fields}>
      <ModalText>{t('template.description')}</ModalText>
      {text('name', 512, t('template.nameHint'))}
      {text('language', 6, t('template.languageHint'))}
      <Select
        label={t('template.category')}
        description={t('template.categoryHint')}
        value={draft.category}
        allowDeselect={false}
        data={(['UTILITY', 'MARKETING'] as const).map((value) => ({ value, label: t(`template.${value}`) }))}
        onChange={(value) => edit({ category: value === 'MARKETING' ? 'MARKETING' : 'UTILITY' })}
      />
      <TemplateHeading pgid={place.pgid} draft={draft} fields={fields} onChange={edit} />
      <TextArea
        label={t('template.body')}
        description={t('template.bodyHint', { one: '{{1}}', two: '{{2}}' })}
        value={draft.body}
        maxLength={1_024}
        error={fields.body}
        onChange={(event) => edit({ body: event.currentTarget.value })}
      />
      {names.map((name, at) => (
        <TextField
          key={name}
          label={t('template.example', { place: `{{${name}}}` })}
          value={draft.examples[at] ?? ''}
          maxLength={200}
          error={fields[`examples.${at}`]}
          onChange={(event) => edit({ examples: put(draft.examples, at, event.currentTarget.value) })}
        />
      ))}
      {text('footer', 60)}
      {BUTTONS.map((at) => (
        <TextField
          key={at}
          label={t('template.button', { number: at + 1 })}
          value={draft.buttons[at] ?? ''}
          maxLength={25}
          error={fields[`buttons.${at}`] ?? (at === 0 ? fields.buttons : undefined)}
          onChange={(event) => edit({ buttons: put(draft.buttons, at, event.currentTarget.value) })}
        />
      ))}
      <TemplatePreview
        template={{
          ...{ ...draft, sendable: false, replies: [] },
          buttons: [...new Set(draft.buttons.filter((label) => label.trim() !== ''))],
          places: names.map((name) => ({ part: 'body', index: 0, name, kind: 'text' })),
        }}
        values={draft.examples}
      />
      {failed && (
        <p role="alert" className={styles.alert}>
          {failureText(failed, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button type="submit" design="primary" loading={submit.isPending}>
          {t('template.submit')}
        </Button>
      </ModalActions>
    </form>
  )
}
