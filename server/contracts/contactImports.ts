import { z } from 'zod'
import { contactFields, contactKeys, customFieldCaps } from '../../engine/values/contactFields'
import { CUSTOM } from './contactFilter'
import { tagCaps } from './contacts'
import { defineRoute, gid, ok } from './route'

/** Caps of a file; ours. */
export const importCaps = { bytes: 10_000_000, rows: 50_000, columns: 100, kept: 20, problems: 500 } as const
/** Days for which an import's outcome is kept. Rows that were never written go with it. */
export const IMPORT_KEPT_DAYS = 7

export const importStatuses = ['parsed', 'checking', 'checked', 'running', 'done', 'failed'] as const
export type ImportStatus = (typeof importStatuses)[number]

/** What tells people apart: a field, or nothing (each row is a new contact). */
export const importKeys = [...contactKeys, 'none'] as const

const isTarget = (target: string) =>
  target === '' ||
  target === 'tags' ||
  (contactFields as readonly string[]).includes(target) ||
  (target.startsWith(CUSTOM) && target.length > CUSTOM.length)

/** Where the columns go: '' is nowhere, `tags`, a field, or `custom:` and a name. */
export const importMappingSchema = z
  .strictObject({
    columns: z
      .array(
        z
          .string()
          .max(CUSTOM.length + customFieldCaps.name)
          .refine(isTarget, 'Choose a field'),
      )
      .max(importCaps.columns),
    key: z.enum(importKeys),
    /** what becomes of people who are there already: empty cells change nothing */
    on_duplicate: z.enum(['update', 'skip']),
    /** given to everybody */
    tags: z
      .array(z.string().trim().min(1).max(tagCaps.name, `Must not exceed ${tagCaps.name} characters`))
      .max(tagCaps.count)
      .default([]),
  })
  .superRefine(({ columns, key }, context) => {
    const chosen = columns.filter((target) => target !== '' && target !== 'tags')
    if (columns.every((target) => target === ''))
      context.addIssue({ code: 'custom', path: ['columns'], message: 'Choose at least one field' })
    if (new Set(chosen).size < chosen.length)
      context.addIssue({ code: 'custom', path: ['columns'], message: 'Choose each field once' })
    if (key !== 'none' && !columns.includes(key))
      context.addIssue({ code: 'custom', path: ['key'], message: 'Choose the column that this field comes from' })
  })
export type ImportMapping = z.infer<typeof importMappingSchema>

export const importColumnSchema = z.strictObject({ name: z.string(), sample: z.array(z.string()) })
export type ImportColumn = z.infer<typeof importColumnSchema>

export const contactImportSchema = z.strictObject({
  gid,
  name: z.string(),
  status: z.enum(importStatuses),
  encoding: z.string(),
  separator: z.string(),
  columns: z.array(importColumnSchema),
  rows: z.int(),
  mapping: importMappingSchema.nullable(),
  processed: z.int(),
  created: z.int(),
  updated: z.int(),
  skipped: z.int(),
  refused: z.int(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
})
export type ContactImport = z.infer<typeof contactImportSchema>

/** What is wrong with a line, and what to write instead. */
export const importProblemSchema = z.strictObject({
  line: z.int(),
  column: z.string().nullable(),
  value: z.string().nullable(),
  message: z.string(),
})
export type ImportProblem = z.infer<typeof importProblemSchema>

const inProject = { pgid: gid }
const access = { feature: 'contacts.create' } as const
const one = z.strictObject({ ...inProject, gid })
const answer = z.strictObject({ import: contactImportSchema })

/** Parses a CSV file; nothing is written yet. 422 says what is wrong with a file that can't be read. */
export const uploadContactImport = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-imports',
  access,
  limit: { by: 'user', most: 20 },
  params: z.strictObject(inProject),
  query: z.strictObject({ name: z.string().trim().max(255, 'Must not exceed 255 characters').default('contacts.csv') }),
  body: z.custom<AsyncIterable<Uint8Array>>(
    (body) => typeof body === 'object' && body !== null && Symbol.asyncIterator in body,
    'Send the file itself as the body, not JSON',
  ),
  bodyLimit: importCaps.bytes,
  answer,
})

/** The imports of a project, the newest first. */
export const listContactImports = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-imports',
  access,
  params: z.strictObject(inProject),
  answer: z.strictObject({ imports: z.array(contactImportSchema) }),
})

/** An import with its first problems, in the order of lines. */
export const readContactImport = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/contact-imports/:gid',
  access,
  params: one,
  answer: z.strictObject({ import: contactImportSchema, problems: z.array(importProblemSchema) }),
})

/** Begins a dry run: a job counts what would be created, updated and refused. May be repeated with another mapping. */
export const checkContactImport = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-imports/:gid/check',
  access,
  params: one,
  body: importMappingSchema,
  answer,
})

/** Begins to write what was checked. 409 if it was not, or has begun already. */
export const startContactImport = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/contact-imports/:gid/start',
  access,
  params: one,
  answer,
})

/** Deletes an import; contacts that it has written stay. */
export const deleteContactImport = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/contact-imports/:gid',
  access,
  params: one,
  answer: ok,
})
