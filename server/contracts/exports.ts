import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** Days for which an export is kept. */
export const KEPT_DAYS = 7
/** Exports of a project that are made at once, and that are kept. */
export const MOST_RUNNING = 3
export const MOST_KEPT = 100

export const exportKinds = [
  'conversations',
  'contacts',
  'leads',
  'results',
  'analytics',
  'knowledge',
  'project',
] as const
export type ExportKind = (typeof exportKinds)[number]
/** The feature of the roles map that each wants. */
export const exportFeatures = {
  conversations: 'conversations.export',
  contacts: 'contacts.export',
  leads: 'contacts.export',
  results: 'conversations.export',
  analytics: 'analytics.export',
  knowledge: 'knowledge_base.view',
  project: 'project.export',
} as const satisfies Record<ExportKind, string>

export const exportFormats = ['csv', 'jsonl', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

const day = z.iso.date('Write a day as YYYY-MM-DD')

export const exportSchema = z.strictObject({
  gid,
  kind: z.enum(exportKinds),
  chatbot: z.strictObject({ gid, name: z.string() }).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  status: z.enum(['waiting', 'running', 'done', 'failed']),
  total: z.int(),
  rows: z.int(),
  /** as stored, compressed */
  bytes: z.int(),
  by: z.string().nullable(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
  expires_at: z.string(),
})
export type ExportEntry = z.infer<typeof exportSchema>

/** The exports of a project that the caller may download, newest first. */
export const listExports = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/exports',
  access: { feature: 'exports.view' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({ exports: z.array(exportSchema) }),
})

/** Begins an export; it is made in the background. 403 without the right to that kind. */
export const createExport = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/exports',
  access: { feature: 'exports.download' },
  params: z.strictObject({ pgid: gid }),
  body: z.strictObject({
    kind: z.enum(exportKinds),
    /** absent: all chatbots */
    chatbot: gid.optional(),
    /** days in UTC, inclusive */
    from: day.optional(),
    to: day.optional(),
    /** of contacts: a segment's alone, by its filter as it is now */
    segment: gid.optional(),
  }),
  answer: z.strictObject({ export: exportSchema }),
})

/** Answers the file itself. A zip of several files where CSV has several tables. */
export const downloadExport = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/exports/:gid/download',
  access: { feature: 'exports.download' },
  limit: { by: 'user', most: 30 },
  params: z.strictObject({ pgid: gid, gid }),
  query: z.strictObject({ format: z.enum(exportFormats) }),
  answer: z.unknown(),
})

export const deleteExport = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/exports/:gid',
  access: { feature: 'exports.delete' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
