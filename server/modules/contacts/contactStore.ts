import type { contactsEffect } from '../../../engine/effects/contacts'
import type { AnswerOf } from '../../../engine/effects/defineEffect'
import { contactFields } from '../../../engine/values/contactFields'
import type { ContactRequest } from './request'

/** A contact as blocks read it: its own id, every field (null where nothing is known), the project's own fields. */
export interface KnownContact {
  id: string
  fields: Record<string, string | null>
  custom: Record<string, string>
}

/** Where contacts are: in the table, or in what a test would have changed of it. */
export interface ContactStore {
  /** the contact of that key, the one changed last when there are several */
  find(key: ContactRequest['key']): Promise<KnownContact | undefined>
  insert(request: ContactRequest): Promise<KnownContact>
  change(found: KnownContact, request: ContactRequest): Promise<KnownContact>
  remove(found: KnownContact): Promise<void>
}

/** What a block is told. */
export type ContactResult = AnswerOf<typeof contactsEffect>

/** What a request came to; `change` null where it changed nothing. */
export interface ContactOutcome {
  result: ContactResult
  change: 'create' | 'update' | 'delete' | null
}

/** Does with a store what a contact block asks for. */
export async function carryOutContact(store: ContactStore, request: ContactRequest): Promise<ContactOutcome> {
  const found = await store.find(request.key)
  if (request.action === 'create') {
    if (!found || request.onDuplicate === 'new')
      return { result: answer(await store.insert(request)), change: 'create' }
    if (request.onDuplicate === 'skip')
      return { result: { ok: false, error: 'duplicate', contact: shown(found) }, change: null }
    return { result: answer(await store.change(found, request)), change: 'update' }
  }
  if (!found) return { result: { ok: false, error: 'not-found' }, change: null }
  if (request.action === 'get') return { result: answer(found), change: null }
  if (request.action === 'update') return { result: answer(await store.change(found, request)), change: 'update' }
  await store.remove(found)
  return { result: answer(found), change: 'delete' }
}

/** What a contact is after a request: a field that is given empty is cleared, one that is not given stays. */
export function withFields(contact: KnownContact, request: ContactRequest): KnownContact {
  const given = { ...contact.fields, ...request.fields }
  return {
    id: contact.id,
    fields: Object.fromEntries(contactFields.map((field) => [field, given[field] || null])),
    custom: filled({ ...contact.custom, ...request.custom }),
  }
}

/** What a new contact is: the key that it is looked for by stands whatever the fields say. */
export const newContact = (id: string, request: ContactRequest): KnownContact =>
  withFields(
    { id, fields: {}, custom: {} },
    { ...request, fields: { ...request.fields, [request.key.field]: request.key.value } },
  )

/** The project's own fields that have a value. */
export const filled = (custom: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(custom).filter(([, value]) => value))

const answer = (contact: KnownContact): ContactResult => ({ ok: true, contact: shown(contact) })
const shown = ({ id, fields, custom }: KnownContact): KnownContact => ({ id, fields, custom })
