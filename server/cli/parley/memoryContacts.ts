import { contactFields } from '../../../engine/values/contactFields'
import type { ContactResult } from '../../modules/contacts/contactStore'
import type { ContactRequest } from '../../modules/contacts/request'

interface Contact {
  id: string
  fields: Record<string, string | null>
  custom: Record<string, string>
}

/** Contacts as in server/modules/contacts, in memory. */
export function createMemoryContacts(): (request: ContactRequest) => ContactResult {
  const contacts: Contact[] = []
  const answer = ({ id, fields, custom }: Contact) => {
    const all = Object.fromEntries(contactFields.map((field) => [field, fields[field] ?? null]))
    return { ok: true as const, contact: { id, fields: all, custom: { ...custom } } }
  }
  const change = (contact: Contact, { fields, custom }: ContactRequest): ContactResult => {
    for (const [field, value] of Object.entries(fields)) contact.fields[field] = value || null
    Object.assign(contact.custom, custom)
    for (const [name, value] of Object.entries(contact.custom)) if (value === '') delete contact.custom[name]
    return answer(contact)
  }
  return (request) => {
    const { action, key, onDuplicate } = request
    const fits = ({ fields }: Contact) => fields[key.field]?.toLowerCase() === key.value.toLowerCase()
    const found = contacts.findLast(fits)
    if (action === 'create' && (!found || onDuplicate === 'new')) {
      const contact: Contact = { id: `contact${contacts.length + 1}`, fields: { [key.field]: key.value }, custom: {} }
      contacts.push(contact)
      return change(contact, request)
    }
    if (!found) return { ok: false, error: 'not-found' }
    if (action === 'create' && onDuplicate === 'skip')
      return { ok: false, error: 'duplicate', contact: answer(found).contact }
    if (action === 'delete') contacts.splice(contacts.indexOf(found), 1)
    return action === 'create' || action === 'update' ? change(found, request) : answer(found)
  }
}
