import { z } from 'zod'
import { defineRoute, gid } from './route'

/** What can be blacked out in conversations. */
export const redactable = ['email', 'phone', 'card', 'iban'] as const
export type Redactable = (typeof redactable)[number]

const days = (least: number) => z.int().min(least, `At least ${least}`).max(3_650, 'At most 3650').nullable()

export const retentionSchema = z.strictObject({
  /** conversations are deleted so many days after their last message; null: never */
  delete_after_days: days(1),
  /** closed ones are blacked out so many days after their last message; null: never */
  redact_after_days: days(0),
  redact: z.array(z.enum(redactable)).max(redactable.length),
})
export type Retention = z.infer<typeof retentionSchema>

const runSchema = z.strictObject({ at: z.string(), deleted: z.int(), redacted: z.int() })
const erasureSchema = z.strictObject({
  at: z.string(),
  /** of the contact that there was */
  contact: gid,
  by: z.string().nullable(),
  conversations: z.int(),
  leads: z.int(),
})

/** The rules, what they did on the last days, and who was erased. */
export const readRetention = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/retention',
  access: { feature: 'project.audit' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({
    rules: retentionSchema,
    runs: z.array(runSchema),
    erasures: z.array(erasureSchema),
  }),
})

/** How many conversations rules would delete and black out now. */
export const previewRetention = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/retention/preview',
  access: { feature: 'project.audit' },
  params: z.strictObject({ pgid: gid }),
  body: retentionSchema,
  answer: z.strictObject({ deleted: z.int(), redacted: z.int() }),
})

export const saveRetention = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/retention',
  access: { feature: 'project.update' },
  plan: 'retention',
  params: z.strictObject({ pgid: gid }),
  body: retentionSchema,
  answer: z.strictObject({ rules: retentionSchema }),
})

/** Erases a person: the contact, its leads, and its conversations with all that was said in them. */
export const eraseContact = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contacts/:gid/erase',
  access: { feature: 'contacts.erase' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: z.strictObject({ conversations: z.int(), leads: z.int() }),
})

/** All that is known of a person, as one JSON document. */
export const readPersonData = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contacts/:gid/data',
  access: { feature: 'contacts.export' },
  limit: { by: 'user', most: 30 },
  params: z.strictObject({ pgid: gid, gid }),
  answer: z.strictObject({ data: z.unknown() }),
})
