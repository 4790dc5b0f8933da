import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

const days = (least: number) =>
  z.int('Enter a whole number').min(least, `At least ${least}`).max(3_650, 'At most 3650').nullable()

/** After how many days traces are deleted, and how many versions stay; null: nothing is deleted. */
export const housekeepingSchema = z.strictObject({
  /** conversations that members had with drafts */
  tests_after_days: days(1),
  /** steps of closed conversations of visitors: how the flow went through its blocks */
  steps_after_days: days(1),
  /** mails in the outbox that were sent or given up; a month at least, since answers refer to them */
  mails_after_days: days(30),
  /** a chatbot's newest published versions that are kept; older ones go where nothing stands on them */
  versions_kept: z.int('Enter a whole number').min(10, 'At least 10').max(1_000, 'At most 1000').nullable(),
})
export type Housekeeping = z.infer<typeof housekeepingSchema>

/** What takes room, as the screen lists it. */
export const storedKinds = [
  'conversations',
  'tests',
  'steps',
  'files',
  'knowledge',
  'flows',
  'mails',
  'events',
] as const
export type StoredKind = (typeof storedKinds)[number]

const params = z.strictObject({ pgid: gid })

/** What a project keeps, and when it is deleted. Rows are counted; bytes are those times the table's average row. */
export const readStorage = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/storage',
  access: { feature: 'project.audit' },
  limit: { by: 'user', most: 20 },
  params,
  answer: z.strictObject({
    kept: z.array(z.strictObject({ kind: z.enum(storedKinds), rows: z.int(), bytes: z.int() })),
    rules: housekeepingSchema,
  }),
})
export const saveHousekeeping = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/housekeeping',
  access: { feature: 'project.update' },
  params,
  body: housekeepingSchema,
  answer: z.strictObject({ rules: housekeepingSchema }),
})
/** Deletes a conversation with its messages, files, mails and notes; figures of analytics stay. */
export const deleteConversation = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/inbox/conversations/:conversation',
  access: { feature: 'conversations.delete' },
  params: z.strictObject({ pgid: gid, conversation: gid }),
  answer: ok,
})
