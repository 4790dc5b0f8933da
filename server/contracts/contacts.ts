import { z } from 'zod'
import { contactFieldProblem, contactFields, customFieldCaps } from '../../engine/values/contactFields'
import { filterCaps } from './contactFilter'
import { defineRoute, gid } from './route'

export const CONTACTS_PER_PAGE = 50
/** Caps of tags; ours. */
export const tagCaps = { name: 40, count: 30 } as const
/** The newest entries of a contact's timeline. */
export const TIMELINE = 100

export const contactSchema = z.strictObject({
  gid,
  fields: z.record(z.enum(contactFields), z.string().nullable()),
  /** custom fields by name */
  custom: z.record(z.string(), z.string()),
  tags: z.array(z.string()),
  /** members marked the person as one not to be served */
  blocked: z.boolean(),
  /** who a site has signed the person to be; null: nobody did */
  verified_id: z.string().nullable(),
  /** addresses of contacts that were merged into it: `email:…`, `phone:…`, `user_id:…` */
  aliases: z.array(z.string()),
  /** created or changed by a test, and by no visitor since */
  test: z.boolean(),
  /** of the project's sample */
  sample: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type ContactEntry = z.infer<typeof contactSchema>

/** The contacts of a project, newest first; `before` is the id of the previous page's last one. */
export const listContacts = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contacts',
  access: { feature: 'contacts.view' },
  params: z.strictObject({ pgid: gid }),
  query: z.strictObject({
    before: gid.optional(),
    /** only those that this chatbot created */
    chatbot: gid.optional(),
    /** only those of tests, or none of them; absent: all */
    test: z.enum(['only', 'none']).optional(),
    /** in name, email, phone, company and user id */
    search: z.string().trim().max(200, 'Must not exceed 200 characters').optional(),
    tag: z.string().max(tagCaps.name).optional(),
    blocked: z.enum(['only', 'none']).optional(),
    /** a saved filter */
    segment: gid.optional(),
    /** a filter as JSON (contactFilterSchema) */
    filter: z.string().max(filterCaps.text).optional(),
  }),
  answer: z.strictObject({
    contacts: z.array(contactSchema),
    more: z.boolean(),
    /** all that match, counted up to `COUNTED`; 0 on later pages */
    total: z.int(),
    /** all tags of the project's contacts */
    tags: z.array(z.string()),
  }),
})

/** What a person did, newest first. */
export const timelineSchema = z.strictObject({
  kind: z.enum([
    ...['conversation', 'page', 'lead', 'answers', 'rating', 'hand-off'],
    ...['ticket', 'ticket-changed', 'consent', 'consent-declined', 'consent-withdrawn'],
  ] as const),
  at: z.string(),
  chatbot: z.strictObject({ gid, name: z.string() }),
  /** null: it was deleted */
  conversation: gid.nullable(),
  /**
   * of a conversation: the page that it began on; of a page: itself, without its query; of answers: how many; of a
   * rating: from 1 to 5; of a ticket: its id; of a consent: the question as it was shown
   */
  detail: z.string().nullable(),
  /** of a ticket: where the team opens it */
  link: z.string().nullable(),
})
export type TimelineEntry = z.infer<typeof timelineSchema>

const ofContact = { pgid: gid, gid }

export const readContact = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contacts/:gid',
  access: { feature: 'contacts.view' },
  params: z.strictObject(ofContact),
  answer: z.strictObject({ contact: contactSchema, timeline: z.array(timelineSchema) }),
})

const tag = z.string().trim().min(1, 'Enter a tag').max(tagCaps.name, `Must not exceed ${tagCaps.name} characters`)

/** Fields of a contact with the messages of SPEC.md 5; an empty text clears a field. */
const fields = z.partialRecord(z.enum(contactFields), z.string().trim()).superRefine((values, context) => {
  for (const field of contactFields) {
    const problem = contactFieldProblem(field, values[field] ?? '')
    if (problem !== null) context.addIssue({ code: 'custom', path: [field], message: problem, input: values[field] })
  }
})

export const contactChangeSchema = z.strictObject({
  fields: fields.optional(),
  /** own fields to be set, by name; an empty text clears one, others stay */
  custom: z
    .record(
      // a name that PostgreSQL can keep: no control character, no half of a character
      z
        .string()
        .trim()
        .min(1)
        .max(customFieldCaps.name)
        .regex(/^[^\p{Cc}\p{Cs}]+$/u, 'Enter a name'),
      z.string().max(customFieldCaps.value, `Must not exceed ${customFieldCaps.value} characters`),
    )
    .refine((values) => Object.keys(values).length <= customFieldCaps.count, 'There are too many fields.')
    .optional(),
  tags: z.array(tag).max(tagCaps.count).optional(),
  blocked: z.boolean().optional(),
})
export type ContactChange = z.infer<typeof contactChangeSchema>

export const createContact = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contacts',
  access: { feature: 'contacts.create' },
  params: z.strictObject({ pgid: gid }),
  body: contactChangeSchema,
  answer: z.strictObject({ contact: contactSchema }),
})

export const updateContact = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/contacts/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject(ofContact),
  body: contactChangeSchema,
  answer: z.strictObject({ contact: contactSchema }),
})
