import { z } from 'zod'
import { defineRoute, gid } from './route'

/** Entries of a page. */
export const AUDIT_SHOWN = 50

const values = z.record(z.string(), z.unknown())
const changeSchema = z.strictObject({
  /** the table of the row that changed */
  subject: z.string(),
  /** null: the row has no id of its own */
  gid: z.string().nullable(),
  /** the changed values alone; a long one by its beginning */
  before: values,
  after: values,
})
export type AuditChange = z.infer<typeof changeSchema>

const entrySchema = z.strictObject({
  /** its place in the log, from 1 */
  seq: z.int(),
  at: z.string(),
  type: z.string(),
  /** `name`: null if the account is gone; null: an operator, by the command line */
  person: z.strictObject({ gid: z.string(), name: z.string().nullable() }).nullable(),
  /** of the call; null: it was no call */
  address: z.string().nullable(),
  /** the call's id, which its answer and the server's log have too */
  call: z.string(),
  /** what it was done to, as it is called now or was called then; null: it has no name */
  about: z.string().nullable(),
  chatbot: z.string().nullable(),
  payload: values,
  changes: z.array(changeSchema),
  hash: z.string(),
})
export type AuditEntry = z.infer<typeof entrySchema>

const day = z.iso.date('Enter a date as 2026-11-30')
const filter = {
  person: gid.optional(),
  /** the part of a type before its dot */
  subject: z
    .string()
    .regex(/^\w{1,40}$/, 'Choose a subject')
    .optional(),
  /** days in UTC, inclusive */
  from: day.optional(),
  to: day.optional(),
}
const params = z.strictObject({ pgid: gid })

/** What members did in a project, newest first. */
export const listAuditLog = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/audit-log',
  access: { feature: 'project.audit' },
  plan: 'audit',
  params,
  query: z.strictObject({ ...filter, before: z.coerce.number().int().min(1).optional() }),
  answer: z.strictObject({ entries: z.array(entrySchema), more: z.boolean() }),
})

/** Computes all hashes anew: whether an entry was changed or taken away by who can write to the database. */
export const checkAuditLog = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/audit-log/check',
  access: { feature: 'project.audit' },
  plan: 'audit',
  limit: { by: 'user', most: 30 },
  params,
  answer: z.strictObject({
    entries: z.int(),
    /** the first entry that does not fit the one before; null: all do */
    broken: z.int().nullable(),
    /** the newest entry's hash: noted elsewhere, it proves later that nothing before it was changed; null: no entry */
    hash: z.string().nullable(),
  }),
})

/** The entries as JSON Lines, oldest first, each with what its hash is made of. */
export const exportAuditLog = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/audit-log/export',
  access: { feature: 'project.export' },
  plan: 'audit',
  limit: { by: 'user', most: 30 },
  params,
  query: z.strictObject({ from: filter.from, to: filter.to }),
  answer: z.unknown(),
})
