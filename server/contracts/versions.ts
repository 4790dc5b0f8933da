import { z } from 'zod'
import { type Flow, flowCaps } from '../../engine/flow/schema'
import { defineRoute, gid } from './route'

export const VERSIONS_PER_PAGE = 30
export const versionCaps = { name: 100, notes: 2_000 } as const

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/versions'
const number = z
  .string()
  .regex(/^[1-9]\d{0,8}$/, 'This is no number of a version')
  .transform(Number)
/** a version by its number, or the draft as it is now */
const which = z.union([number, z.literal('draft')])

export const versionName = z.string().trim().max(versionCaps.name, `Must not exceed ${versionCaps.name} characters`)
export const versionNotes = z.string().trim().max(versionCaps.notes, `Must not exceed ${versionCaps.notes} characters`)

export const versionSchema = z.strictObject({
  number: z.int(),
  name: z.string().nullable(),
  notes: z.string(),
  at: z.string(),
  by: z.string(),
  /** a draft that was kept before another took its place: visitors never got it */
  kept: z.boolean(),
})
export type Version = z.infer<typeof versionSchema>
const versionAnswer = z.strictObject({ version: versionSchema })

/** A flow of a version. A draft holds whatever clients put into it, and readers of it look at what they read: it is not checked again. */
const frozenFlowSchema = z.strictObject({
  gid,
  title: z.string().max(flowCaps.flowTitle),
  is_main: z.boolean(),
  flow: z.custom<Flow>((value) => typeof value === 'object' && value !== null),
})
export type FrozenFlow = z.infer<typeof frozenFlowSchema>

/** The newest first; `before` is the number of the last one of the page before. */
export const listVersions = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'builder.view' },
  params: inChatbot,
  query: z.strictObject({ before: number.optional() }),
  answer: z.strictObject({
    versions: z.array(versionSchema),
    more: z.boolean(),
    /** the number of the one that visitors get */
    published: z.int().nullable(),
  }),
})

/** All flows of a version or of the draft, the main one first, every block at the present version of its kind. */
export const readVersion = defineRoute({
  method: 'GET',
  path: `${path}/:version`,
  access: { feature: 'builder.view' },
  load: 'draft',
  params: inChatbot.extend({ version: which }),
  answer: z.strictObject({ flows: z.array(frozenFlowSchema) }),
})

export const renameVersion = defineRoute({
  method: 'PATCH',
  path: `${path}/:version`,
  access: { feature: 'builder.publish' },
  params: inChatbot.extend({ version: number }),
  body: z.strictObject({ name: versionName.optional(), notes: versionNotes.optional() }),
  answer: versionAnswer,
})

/**
 * Makes the drafts of all flows what they were in a version. The draft before is kept as a version; flows that were deleted since come
 * back, flows that were made since stay. The flow that `open` names is not written but given back: the caller's own
 * document takes it, so that it is one step of his undo.
 */
export const restoreVersion = defineRoute({
  method: 'POST',
  path: `${path}/:version/restore`,
  access: { feature: 'builder.rollback' },
  load: 'draft',
  params: inChatbot.extend({ version: number }),
  body: z.strictObject({ open: gid.optional() }),
  answer: z.strictObject({
    kept: versionSchema.nullable(),
    flow: z.custom<Flow>((value) => typeof value === 'object').nullable(),
  }),
})

/** Gives an older version to visitors again; the draft stays as it is. */
export const publishVersion = defineRoute({
  method: 'POST',
  path: `${path}/:version/publish`,
  access: { feature: 'builder.rollback' },
  load: 'draft',
  params: inChatbot.extend({ version: number }),
  answer: versionAnswer,
})

export const flowErrorSchema = z.strictObject({
  /** the flow it is in */
  flow: z.strictObject({ gid: gid.nullable(), title: z.string() }),
  code: z.string(),
  /** in English; the interface has its own words by the code */
  text: z.string(),
  group_id: z.string().nullable(),
  group: z.string(),
  block_id: z.string().nullable(),
})
export type FlowError = z.infer<typeof flowErrorSchema>

/** What the checker says about the drafts of all flows that conversations get to: errors are what publishing is refused for. */
export const checkDraft = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/publish-check',
  access: { feature: 'builder.view' },
  load: 'draft',
  params: inChatbot,
  answer: z.strictObject({
    /** the first hundred */
    errors: z.array(flowErrorSchema),
    error_count: z.int(),
    warning_count: z.int(),
  }),
})
