import { z } from 'zod'
import { contactFields } from '../../engine/values/contactFields'
import { defineRoute, gid } from './route'

export const CONTACTS_PER_PAGE = 50

export const contactSchema = z.strictObject({
  gid,
  fields: z.record(z.enum(contactFields), z.string().nullable()),
  /** custom fields by name */
  custom: z.record(z.string(), z.string()),
  /** created or changed by a test, and by no visitor since */
  test: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ContactEntry = z.infer<typeof contactSchema>

/** The contacts created by this chatbot, newest first; `before` is the id of the previous page's last one. */
export const listContacts = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/contacts',
  access: { feature: 'contacts.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  query: z.strictObject({
    before: gid.optional(),
    /** only those of tests, or none of them; absent: all */
    test: z.enum(['only', 'none']).optional(),
  }),
  answer: z.strictObject({ contacts: z.array(contactSchema), more: z.boolean() }),
})
