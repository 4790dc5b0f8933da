import type { contactsEffect } from '../../../engine/effects/contacts'
import type { AnswerOf } from '../../../engine/effects/defineEffect'
import { contactFields } from '../../../engine/values/contactFields'
import type { ContactRequest } from './request'

/** A contact as blocks read it: its id, every field (null if unknown), the custom fields. */
export interface KnownContact {
  id: string
  fields: Record<string, string | null>
  custom: Record<string, string>
}

/** A store of contacts: the table, or a simulation of a test's changes to it. */
export interface ContactStore {
  /** the contact with that key, the last changed one if there are several */
  find(key: ContactRequest['key']): Promise<KnownContact | undefined>
  insert(request: ContactRequest): Promise<KnownContact>
  change(found: KnownContact, request: ContactRequest): Promise<KnownContact>
  remove(found: KnownContact): Promise<void>
}

/** The result for a block. */
export type ContactResult = AnswerOf<typeof contactsEffect>

/** The result of a request; `change` is null if nothing changed. */
export interface ContactOutcome {
  result: ContactResult
  change: 'create' | 'update' | 'delete' | null
}

/** Executes a contact block's request on a store. */
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

/** A contact after a request: empty fields are cleared, absent ones stay. */
export function withFields(contact: KnownContact, request: ContactRequest): KnownContact {
  const given = { ...contact.fields, ...request.fields }
  return {
    id: contact.id,
    fields: Object.fromEntries(contactFields.map((field) => [field, given[field] || null])),
    custom: filled({ ...contact.custom, ...request.custom }),
  }
}

/** A new contact: it has the key it was looked up by, whatever the fields say. */
export const newContact = (id: string, request: ContactRequest): KnownContact =>
  withFields(
    { id, fields: {}, custom: {} },
    { ...request, fields: { ...request.fields, [request.key.field]: request.key.value } },
  )

/** Custom fields that have a value. */
export const filled = (custom: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(custom).filter(([, value]) => value))

const answer = (contact: KnownContact): ContactResult => ({ ok: true, contact: shown(contact) })
const shown = ({ id, fields, custom }: KnownContact): KnownContact => ({ id, fields, custom })
