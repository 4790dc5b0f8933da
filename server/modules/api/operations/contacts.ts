import { createContact, listContacts, readContact, updateContact } from '../../../contracts/contacts'
import { listLeads } from '../../../contracts/leads'
import { list, type Operation, operation } from '../operation'

const names = { contact: 'gid' }

export const contactOperations: readonly Operation[] = [
  list(listContacts, {
    id: 'listContacts',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'List contacts',
    description: 'The newest first.',
    items: 'contacts',
    cursor: 'before',
    next: ({ contacts, more }) => (more ? (contacts.at(-1)?.gid ?? null) : null),
  }),
  operation(createContact, {
    id: 'createContact',
    path: '/contacts',
    tag: 'Contacts',
    summary: 'Create a contact',
    example: { fields: { name: 'Ada Lovelace', email: 'ada@example.com' }, tags: ['VIP'] },
    status: 201,
    pick: 'contact',
  }),
  operation(readContact, {
    id: 'readContact',
    path: '/contacts/{contact}',
    tag: 'Contacts',
    summary: 'Read a contact and what it did',
    names,
  }),
  operation(updateContact, {
    id: 'updateContact',
    path: '/contacts/{contact}',
    tag: 'Contacts',
    summary: 'Change a contact',
    description: 'What is left out stays; an empty text clears a field.',
    example: { fields: { company: 'Analytical Engines' } },
    names,
    pick: 'contact',
  }),
  list(listLeads, {
    id: 'listLeads',
    path: '/chatbots/{chatbot}/leads',
    tag: 'Contacts',
    summary: 'List a chatbot’s leads',
    names: { chatbot: 'cgid' },
    items: 'leads',
    cursor: 'before',
    next: ({ leads, more }) => (more ? (leads.at(-1)?.gid ?? null) : null),
  }),
]
