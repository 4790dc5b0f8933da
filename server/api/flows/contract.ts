import { z } from 'zod'
import { flowSchema } from '../../../engine/flow/schema'
import { defineRoute, gid, ok } from '../route'

const one = z.strictObject({ pgid: gid, cgid: gid, fid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/flows/:fid'

/** Asked before the socket opens: a refused y-websocket client retries for ever and is told nothing. */
export const openDocument = defineRoute({
  method: 'GET',
  path: `${path}/document`,
  access: { feature: 'builder.view' },
  params: one,
  answer: z.strictObject({ room: z.string(), read_only: z.boolean() }),
})

/** The draft as our own format; importing what was exported gives the same bytes again. */
export const exportFlow = defineRoute({
  method: 'GET',
  path: `${path}/export`,
  access: { feature: 'builder.view' },
  params: one,
  answer: flowSchema,
})

export const importReportSchema = z.strictObject({
  product: z.enum(['typebot', 'parley']),
  version: z.string(),
  mapped: z.array(z.strictObject({ type: z.string(), kind: z.string(), count: z.int() })),
  placeholders: z.array(z.strictObject({ type: z.string(), count: z.int(), reason: z.string() })),
  notes: z.array(
    z.strictObject({ level: z.enum(['info', 'warning']), place: z.string().optional(), message: z.string() }),
  ),
})

/** What came of a file. */
export const importResultSchema = z.strictObject({ report: importReportSchema, groups: z.int(), blocks: z.int() })
export type ImportResult = z.infer<typeof importResultSchema>
/** Most bytes of a body with a file's text in it: JSON writes some characters with several. */
export const FLOW_FILE_BODY = 64 * 1024 * 1024

/**
 * The file's text as it is (ours or Typebot's), of at most `flowCaps.bytes`. `replace` empties the draft first, `insert` puts it
 * beside what is there.
 */
export const importFlow = defineRoute({
  method: 'POST',
  path: `${path}/import`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ source: z.string(), mode: z.enum(['replace', 'insert']) }),
  bodyLimit: FLOW_FILE_BODY,
  answer: importResultSchema,
})

export const versionSchema = z.strictObject({ number: z.int(), at: z.string(), by: z.string() })

/** Freezes the draft. A draft that cannot run (no start) is refused with the reason. */
export const publishFlow = defineRoute({
  method: 'POST',
  path: `${path}/publish`,
  access: { feature: 'builder.publish' },
  params: one,
  answer: z.strictObject({ version: versionSchema, url: z.string() }),
})

/** Takes the shared page off. */
export const unpublishFlow = defineRoute({
  method: 'POST',
  path: `${path}/unpublish`,
  access: { feature: 'builder.publish' },
  params: one,
  answer: ok,
})

export const listVersions = defineRoute({
  method: 'GET',
  path: `${path}/versions`,
  access: { feature: 'builder.view' },
  params: one,
  answer: z.strictObject({ versions: z.array(versionSchema) }),
})
