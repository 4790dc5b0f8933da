import { z } from 'zod'
import { contactFields } from '../../engine/values/contactFields'
import { defineRoute, gid } from './route'

export const CONTACTS_PER_PAGE = 50

export const contactSchema = z.strictObject({
  gid,
  fields: z.record(z.enum(contactFields), z.string().nullable()),
  /** the project's own fields, by name */
  custom: z.record(z.string(), z.string()),
  /** made or changed by a test, and by no visitor since */
  test: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ContactEntry = z.infer<typeof contactSchema>

/** The contacts that this chatbot made, the newest first; `before` is the id of the last one of the page before. */
export const listContacts = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/contacts',
  access: { feature: 'contacts.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  query: z.strictObject({
    before: gid.optional(),
    /** those of tests alone, or none of them; left out: all */
    test: z.enum(['only', 'none']).optional(),
  }),
  answer: z.strictObject({ contacts: z.array(contactSchema), more: z.boolean() }),
})
