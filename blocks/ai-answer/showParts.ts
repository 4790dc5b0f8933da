import { contactsEffect } from '../../engine/effects/contacts'
import type { AnswerShownPart } from '../../engine/flow/answerParts'
import type { InputRequest } from '../../engine/flow/effects'
import { handOver } from '../../engine/flow/handOver'
import { ask, call, note, sayMessage } from '../../engine/flow/steps'
import type { LeadField } from '../../engine/values/agentActions'
import { counts } from '../../engine/values/caps'
import { type ContactField, contactFieldCap, contactFieldProblem } from '../../engine/values/contactFields'
import { entryMessages } from '../../engine/values/entryRules'
import { plainRichText } from '../../engine/values/richText'

/** Shows the results of the model's actions below its answer. A form is asked until it is valid, and may be skipped. */
export function* showParts(parts: readonly AnswerShownPart[]) {
  for (const [at, part] of parts.entries()) {
    switch (part.type) {
      case 'buttons':
        yield* sayButtons(at, part.text, part.buttons)
        break
      case 'booking':
        yield* sayButtons(at, '', [{ label: part.label, url: part.url }])
        break
      case 'hand-off':
        yield* handOff(part)
        break
      case 'lead-form':
        yield* askLead(part)
        break
    }
  }
}

/** Hands the conversation over. The address is requested without a message: the visitor's input explains itself. */
export function* handOff({ message, team = '', note: words = '' }: Extract<AnswerShownPart, { type: 'hand-off' }>) {
  const taken = yield* handOver({
    team,
    note: words,
    to: [],
    email: '',
    prompt: () => sayText(''),
    message: () => sayText(message),
  })
  if (taken === 'nobody') yield* note('Nobody could be told of the hand-off.')
}

function* sayText(text: string) {
  if (text !== '') yield* sayMessage({ kind: 'text', text: plainRichText(text) })
}

/** A card without an image, for buttons that are links. */
function* sayButtons(at: number, title: string, links: readonly { label: string; url: string }[]) {
  const buttons = links.map(({ label, url }, index) => ({ id: `${at}-${index}`, label, url }))
  yield* sayMessage({ kind: 'carousel', items: [{ id: `${at}`, title, description: '', buttons }] })
}

type Form = Extract<InputRequest, { input: 'form' }>

function* askLead({ title, submit_label, fields, thanks }: Extract<AnswerShownPart, { type: 'lead-form' }>) {
  yield* sayText(title)
  const request: Form = {
    input: 'form',
    required: false,
    submitLabel: submit_label,
    fields: fields.map(({ field, label = leads[field].label, required, value }) => ({
      id: field,
      label,
      type: leads[field].type,
      required,
      placeholder: '',
      choices: [],
      maxLength: contactFieldCap(leads[field].contact),
      ...(value !== '' && { value }),
    })),
  }
  for (let attempt = 1; attempt <= counts.attempts; attempt++) {
    const reply = yield* ask(request)
    if (reply.type !== 'form') return
    const entries = new Map(Object.entries(reply.values))
    const read = request.fields.map((field) => {
      const value = [entries.get(field.id) ?? ''].flat().join(' ').trim()
      return { ...field, value, problem: problemOf(field.id as LeadField, field.required, value) }
    })
    if (read.every(({ problem }) => problem === null)) {
      yield* keepLead(read.map(({ id, value }) => [leads[id as LeadField].contact, value]))
      return yield* sayText(thanks)
    }
    request.fields = read.map(({ problem, ...field }) => ({ ...field, ...(problem !== null && { problem }) }))
  }
}

function problemOf(field: LeadField, required: boolean, value: string): string | null {
  if (value === '') return required ? entryMessages.required : null
  const { contact } = leads[field]
  return contactFieldProblem(contact, contact === 'phone' ? value.replace(/[()./-]/g, '') : value)
}

/** The email identifies the contact, otherwise the phone number: every form requires one of them. */
function* keepLead(entered: [ContactField, string][]) {
  const fields = Object.fromEntries(entered.filter(([, value]) => value !== ''))
  const field = fields.email === undefined ? 'phone' : 'email'
  const key = { field, value: fields[field] ?? '' } as const
  const result = yield* call(contactsEffect, { action: 'create', key, fields, custom: {}, onDuplicate: 'update' })
  if (!result.ok) yield* note('The contact could not be stored.')
}

const leads: Record<LeadField, { contact: ContactField; label: string; type: Form['fields'][number]['type'] }> = {
  name: { contact: 'name', label: 'Name', type: 'text' },
  email: { contact: 'email', label: 'Email', type: 'email' },
  phone_number: { contact: 'phone', label: 'Phone number', type: 'phone' },
  company_name: { contact: 'company', label: 'Company', type: 'text' },
  job_title: { contact: 'job_title', label: 'Job title', type: 'text' },
  website_url: { contact: 'website', label: 'Website', type: 'url' },
  address: { contact: 'address', label: 'Address', type: 'text' },
  city: { contact: 'city', label: 'City', type: 'text' },
  state: { contact: 'state', label: 'State', type: 'text' },
  country: { contact: 'country', label: 'Country', type: 'text' },
  zip: { contact: 'zip', label: 'Postal code', type: 'text' },
}
