import { z } from 'zod'
import { contactFields, contactKeys, customFieldCaps } from '../../engine/values/contactFields'
import { CUSTOM } from './contactFilter'
import { contactSchema } from './contacts'
import { defineRoute, gid } from './route'

/** Days for which a merge can be undone. */
export const UNDO_DAYS = 30
/** Groups of doubles, and contacts of one, that are listed. */
export const MOST_DOUBLES = 50
export const MOST_ALIKE = 10

const inProject = { pgid: gid }

/** Contacts that are the same person by email, phone or user id. */
export const listDoubles = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-doubles',
  access: { feature: 'contacts.view' },
  params: z.strictObject(inProject),
  answer: z.strictObject({
    doubles: z.array(z.strictObject({ by: z.enum(contactKeys), value: z.string(), contacts: z.array(contactSchema) })),
  }),
})
export type Doubles = z.infer<typeof listDoubles.answer>['doubles'][number]

/** What would be moved from one contact to another. */
export const previewMerge = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-merges/preview',
  access: { feature: 'contacts.update' },
  params: z.strictObject(inProject),
  query: z.strictObject({ into: gid, from: gid }),
  answer: z.strictObject({
    into: contactSchema,
    from: contactSchema,
    conversations: z.int(),
    leads: z.int(),
  }),
})

/**
 * Merges a contact into another, which stays: conversations, leads, tags and all else of it are the other's. 409 if
 * both are verified, and not the same.
 */
export const mergeContacts = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-merges',
  access: { feature: 'contacts.update' },
  params: z.strictObject(inProject),
  body: z.strictObject({
    into: gid,
    from: gid,
    /** fields (own ones as `custom:` and the name) whose value is the one of the contact that goes */
    take: z
      .array(z.string().max(CUSTOM.length + customFieldCaps.name))
      .max(contactFields.length + customFieldCaps.count)
      .default([]),
  }),
  answer: z.strictObject({ contact: contactSchema, merge: gid }),
})

/** Merges that can be undone, the newest first. */
export const listMerges = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-merges',
  access: { feature: 'contacts.view' },
  params: z.strictObject(inProject),
  answer: z.strictObject({
    merges: z.array(
      z.strictObject({
        gid,
        contact: z.strictObject({ gid, name: z.string() }),
        /** who is not there any more */
        merged: z.string(),
        merged_at: z.string(),
        by: z.string().nullable(),
        expires_at: z.string(),
      }),
    ),
  }),
})
export type MergeEntry = z.infer<typeof listMerges.answer>['merges'][number]

/** Gives both contacts back what they were; what was changed since then stays as it is now. */
export const undoMerge = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-merges/:gid/undo',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inProject, gid }),
  answer: z.strictObject({ contact: contactSchema }),
})
