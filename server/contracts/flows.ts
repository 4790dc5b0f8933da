import { z } from 'zod'
import { flowCaps, flowFileSchema } from '../../engine/flow/schema'
import { importedProducts } from '../../engine/interop/importer'
import { languagesSchema } from '../../engine/translations/translation'
import { defineRoute, gid, ok } from './route'
import { versionName, versionNotes, versionSchema } from './versions'

const one = z.strictObject({ pgid: gid, cgid: gid, fid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/flows/:fid'

/** Called before the socket is opened: a refused y-websocket client retries for ever without knowing why. */
export const openDocument = defineRoute({
  method: 'GET',
  path: `${path}/document`,
  access: { feature: 'builder.view' },
  params: one,
  answer: z.strictObject({ room: z.string(), read_only: z.boolean() }),
})

/**
 * The draft in our own format; importing an export gives the same bytes again. The main flow's file contains the whole
 * chatbot: its other flows in order, with ids of the file's own.
 */
export const exportFlow = defineRoute({
  method: 'GET',
  path: `${path}/export`,
  access: { feature: 'builder.view' },
  load: 'draft',
  params: one,
  answer: flowFileSchema,
})

export const importReportSchema = z.strictObject({
  product: z.enum(importedProducts),
  version: z.string(),
  mapped: z.array(z.strictObject({ type: z.string(), kind: z.string(), count: z.int() })),
  placeholders: z.array(
    z.strictObject({ type: z.string(), count: z.int(), reason: z.string(), places: z.array(z.string()) }),
  ),
  notes: z.array(
    z.strictObject({ level: z.enum(['info', 'warning']), place: z.string().optional(), message: z.string() }),
  ),
})

/** The result of an import. */
export const importResultSchema = z.strictObject({
  report: importReportSchema,
  /** number of flows, and totals over all of them */
  flows: z.int(),
  groups: z.int(),
  blocks: z.int(),
})
export type ImportResult = z.infer<typeof importResultSchema>
/** Most bytes of a body with a file's text: JSON escapes some characters. */
export const FLOW_FILE_BODY = 64 * 1024 * 1024

/**
 * The file's text (ours or of a product in engine/interop), of at most `flowCaps.bytes`. `replace` empties the draft
 * first, `insert` adds to it. Other flows in the file are added to the chatbot's.
 */
export const importFlow = defineRoute({
  method: 'POST',
  path: `${path}/import`,
  access: { feature: 'builder.update' },
  load: 'draft',
  params: one,
  body: z.strictObject({ source: z.string(), mode: z.enum(['replace', 'insert']) }),
  bodyLimit: FLOW_FILE_BODY,
  answer: importResultSchema,
})

/**
 * Publishes the drafts of all flows of the chatbot as a version. Errors of the checker in any reachable flow are
 * refused with `flow_errors` and the list, as in `checkDraft`.
 */
export const publishFlow = defineRoute({
  method: 'POST',
  path: `${path}/publish`,
  access: { feature: 'builder.publish' },
  load: 'draft',
  params: one,
  body: z.strictObject({ name: versionName.optional(), notes: versionNotes.optional() }),
  answer: z.strictObject({ version: versionSchema, url: z.string() }),
})

/** Takes the shared page offline. */
export const unpublishFlow = defineRoute({
  method: 'POST',
  path: `${path}/unpublish`,
  overLimit: 'allowed',
  access: { feature: 'builder.publish' },
  params: one,
  answer: ok,
})

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const listPath = '/api/projects/:pgid/chatbots/:cgid/flows'

export const flowTitle = z
  .string()
  .trim()
  .min(1, 'Enter a flow name')
  .max(flowCaps.flowTitle, `Must not exceed ${flowCaps.flowTitle} characters`)

export const listedFlowSchema = z.strictObject({
  gid,
  title: z.string(),
  /** the one that a conversation starts in; it can't be entered or deleted */
  is_main: z.boolean(),
  /** what another flow may enter, and the variables that may be passed */
  groups: z.array(z.strictObject({ id: z.string(), title: z.string() })),
  variables: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  /** the flows that its blocks enter */
  enters: z.array(z.string()),
  /** how they enter them: at which group (null: the start), and which of that flow's variables they set and read */
  calls: z.array(
    z.strictObject({
      flowId: z.string(),
      groupId: z.string().nullable(),
      gives: z.array(z.string()),
      takes: z.array(z.string()),
    }),
  ),
  /** of the main flow: what the chatbot speaks, once somebody has said */
  languages: languagesSchema.optional(),
})
export type ListedFlow = z.infer<typeof listedFlowSchema>
const flowAnswer = z.strictObject({ flow: listedFlowSchema })

/** The main flow first, the others in order of creation. */
export const listFlows = defineRoute({
  method: 'GET',
  path: listPath,
  access: { feature: 'builder.view' },
  load: 'draft',
  params: inChatbot,
  answer: z.strictObject({ flows: z.array(listedFlowSchema) }),
})
export const createFlow = defineRoute({
  method: 'POST',
  path: listPath,
  access: { feature: 'builder.update' },
  params: inChatbot,
  body: z.strictObject({ title: flowTitle }),
  answer: flowAnswer,
})
export const renameFlow = defineRoute({
  method: 'PATCH',
  path: `${listPath}/:fid`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ title: flowTitle }),
  answer: flowAnswer,
})
/** Copies a draft to a new flow of the chatbot; also the main flow's. */
export const duplicateFlow = defineRoute({
  method: 'POST',
  path: `${listPath}/:fid/duplicate`,
  access: { feature: 'builder.update' },
  load: 'draft',
  params: one,
  answer: flowAnswer,
})
/** Refused with `conflict`, naming the flows, while others enter it, unless `confirmed`; always for the main flow. */
export const deleteFlow = defineRoute({
  method: 'DELETE',
  path: `${listPath}/:fid`,
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ confirmed: z.boolean() }),
  answer: ok,
})
