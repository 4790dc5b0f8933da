import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Broadcast, BroadcastDraft } from '../../../../server/contracts/whatsappBroadcasts'
import type { WhatsappTemplate } from '../../../../server/contracts/whatsappTemplates'
import { ApiFailure, failureText } from '../../../api/failure'
import { segmentsQuery } from '../../../api/segments'
import type { ChatbotPlace } from '../../../api/whatsapp'
import { useBroadcastChanges } from '../../../api/whatsappBroadcasts'
import { whatsappTemplatesQuery } from '../../../api/whatsappTemplates'
import { TemplatePreview } from '../../../text/TemplatePreview'
import { Button } from '../../../ui/Button'
import { LoadingState } from '../../../ui/LoadingState'
import { ModalActions, ModalText } from '../../../ui/Modal'
import { notify } from '../../../ui/notify'
import { Select } from '../../../ui/Select'
import { TextField } from '../../../ui/TextField'
import styles from './broadcasts.module.css'
import { CheckResult } from './CheckResult'
import { FillFields } from './FillFields'

interface BroadcastFormProps {
  place: ChatbotPlace
  /** the one before: its price and pace are likely */
  last: Broadcast | undefined
  onClose: () => void
}

const EVERYBODY = 'all'
const keyOf = ({ name, language }: { name: string; language: string }) => `${language} ${name}`

/** A new broadcast: to whom, what, and a check who gets it before it starts. */
export function BroadcastForm({ place, last, onClose }: BroadcastFormProps) {
  const { t } = useTranslation('whatsapp')
  const { data: templates } = useQuery(whatsappTemplatesQuery(place))
  const { data: segments } = useQuery(segmentsQuery(place.pgid))
  if (!templates || !segments) return <LoadingState rows={2} height={80} />
  const sendable = templates.filter((template) => template.sendable)
  const [first] = sendable
  if (!first) return <ModalText>{t('broadcast.none')}</ModalText>
  const offered = segments.map(({ gid, name }) => ({ value: gid, label: name }))
  return <Draft place={place} last={last} onClose={onClose} templates={sendable} first={first} segments={offered} />
}

interface DraftProps extends BroadcastFormProps {
  templates: readonly WhatsappTemplate[]
  first: WhatsappTemplate
  segments: readonly { value: string; label: string }[]
}

function Draft({ place, last, onClose, templates, first, segments }: DraftProps) {
  const { t } = useTranslation('whatsapp')
  const { t: common } = useTranslation()
  const [template, setTemplate] = useState(first)
  const [draft, setDraft] = useState<BroadcastDraft>({
    ...{ name: '', segment: null, template: nameOf(first), fills: emptyFills(first) },
    ...{ per_minute: last?.per_minute ?? 60, price: last?.price ?? 0, currency: last?.currency ?? 'EUR' },
  })
  const { check, start } = useBroadcastChanges(place)
  const error = start.error ?? check.error
  const fields: Partial<Record<string, string>> = error instanceof ApiFailure ? error.fields : {}
  const failed = error && Object.keys(fields).length === 0 ? error : null
  const edit = (part: Partial<BroadcastDraft>, isAudience = true) => {
    start.reset()
    // who gets it may be others now
    if (isAudience) check.reset()
    setDraft({ ...draft, ...part })
  }
  const choose = (key: string | null) => {
    const found = templates.find((each) => keyOf(each) === key)
    if (!found) return
    setTemplate(found)
    edit({ template: nameOf(found), fills: emptyFills(found) })
  }
  const send = (event: SubmitEvent) => {
    event.preventDefault()
    if (!check.data) return check.mutate(draft)
    start.mutate(draft, {
      onSuccess: () => {
        notify.success(t('broadcast.started', { name: draft.name }))
        onClose()
      },
    })
  }
  const numeric = (name: 'per_minute' | 'price') => (
    <TextField
      label={t(`broadcast.${name}`)}
      description={t(`broadcast.${name}Hint`)}
      inputMode="decimal"
      defaultValue={String(draft[name])}
      error={fields[name]}
      onChange={(event) => edit({ [name]: Number(event.currentTarget.value.replace(',', '.')) }, false)}
    />
  )
  return (
    <form onSubmit={send} noValidate className={styles.fields}>
      <TextField
        label={t('broadcast.name')}
        value={draft.name}
        maxLength={100}
        error={fields.name}
        onChange={(event) => edit({ name: event.currentTarget.value }, false)}
      />
      <Select
        label={t('broadcast.segment')}
        description={t('broadcast.segmentHint')}
        value={draft.segment ?? EVERYBODY}
        allowDeselect={false}
        data={[{ value: EVERYBODY, label: t('broadcast.everybody') }, ...segments]}
        error={fields.segment}
        onChange={(value) => edit({ segment: value === EVERYBODY ? null : value })}
      />
      <Select
        label={t('broadcast.template')}
        value={keyOf(template)}
        allowDeselect={false}
        data={templates.map((each) => ({ value: keyOf(each), label: `${each.name} (${each.language})` }))}
        error={fields.template}
        onChange={choose}
      />
      <FillFields
        pgid={place.pgid}
        places={template.places}
        fills={draft.fills}
        errors={fields}
        onChange={(fills) => edit({ fills })}
      />
      <TemplatePreview template={template} values={draft.fills.map(({ text }) => text)} />
      <div className={styles.numbers}>
        {numeric('per_minute')}
        {numeric('price')}
        <TextField
          label={t('broadcast.currency')}
          value={draft.currency}
          error={fields.currency}
          onChange={(event) => edit({ currency: event.currentTarget.value.toUpperCase() }, false)}
        />
      </div>
      {check.data && <CheckResult check={check.data} price={draft.price} currency={draft.currency} />}
      {failed && (
        <p role="alert" className={styles.alert}>
          {failureText(failed, common('errors.message'))}
        </p>
      )}
      <ModalActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <Button
          type="submit"
          design="primary"
          loading={check.isPending || start.isPending}
          disabled={check.data?.count === 0}
        >
          {check.data ? t('broadcast.start', { count: check.data.count }) : t('broadcast.check')}
        </Button>
      </ModalActions>
    </form>
  )
}

const nameOf = ({ name, language }: WhatsappTemplate) => ({ name, language })
const emptyFills = ({ places }: WhatsappTemplate) => places.map(() => ({ field: '', text: '' }))
