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
/** a version by its number, or the present draft */
const which = z.union([number, z.literal('draft')])

export const versionName = z.string().trim().max(versionCaps.name, `Must not exceed ${versionCaps.name} characters`)
export const versionNotes = z.string().trim().max(versionCaps.notes, `Must not exceed ${versionCaps.notes} characters`)

export const versionSchema = z.strictObject({
  number: z.int(),
  name: z.string().nullable(),
  notes: z.string(),
  at: z.string(),
  by: z.string(),
  /** a draft kept before it was replaced: it was never published */
  kept: z.boolean(),
})
export type Version = z.infer<typeof versionSchema>
const versionAnswer = z.strictObject({ version: versionSchema })

/**
 * A flow of a version. Drafts contain whatever clients wrote and readers validate what they use, so it is not validated
 * here.
 */
const frozenFlowSchema = z.strictObject({
  gid,
  title: z.string().max(flowCaps.flowTitle),
  is_main: z.boolean(),
  flow: z.custom<Flow>((value) => typeof value === 'object' && value !== null),
})
export type FrozenFlow = z.infer<typeof frozenFlowSchema>

/** Newest first; `before` is the number of the previous page's last one. */
export const listVersions = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'builder.view' },
  params: inChatbot,
  query: z.strictObject({ before: number.optional() }),
  answer: z.strictObject({
    versions: z.array(versionSchema),
    more: z.boolean(),
    /** the published version's number */
    published: z.int().nullable(),
  }),
})

/** All flows of a version or of the draft, the main one first, with migrated blocks. */
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
 * Replaces the drafts of all flows by a version. The previous draft is kept as a version; flows deleted since are
 * restored, flows created since stay. The flow `open` is not written but returned: the caller's document applies it, so
 * that it is one undo step.
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

/** Publishes an older version again; the draft stays as it is. */
export const publishVersion = defineRoute({
  method: 'POST',
  path: `${path}/:version/publish`,
  access: { feature: 'builder.rollback' },
  load: 'draft',
  params: inChatbot.extend({ version: number }),
  answer: versionAnswer,
})

export const flowErrorSchema = z.strictObject({
  /** the flow that contains it */
  flow: z.strictObject({ gid: gid.nullable(), title: z.string() }),
  code: z.string(),
  /** in English; the interface has its own texts by code */
  text: z.string(),
  group_id: z.string().nullable(),
  group: z.string(),
  block_id: z.string().nullable(),
})
export type FlowError = z.infer<typeof flowErrorSchema>

/** The checker's findings in the drafts of all reachable flows: errors prevent publishing. */
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
