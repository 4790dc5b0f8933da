import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const chatbot = z.string()
/** A flow by its gid. */
const flow = z.strictObject({ chatbot, flow: z.string(), title: z.string() })
/** A version by its number in its chatbot. */
const version = z.strictObject({ chatbot, version: z.int() })

export const flowCreated = defineEvent('flow.created', flow)
export const flowRenamed = defineEvent('flow.renamed', flow)
export const flowDeleted = defineEvent('flow.deleted', flow)
/** A file was imported into a flow's draft. */
export const flowImported = defineEvent('flow.imported', flow.extend({ mode: z.string() }))
/** Visitors now get this version of the chatbot's flows, a new one or an earlier one. */
export const flowPublished = defineEvent('flow.published', version)
export const flowUnpublished = defineEvent('flow.unpublished', z.strictObject({ chatbot }))
/** The drafts were replaced by this version. */
export const versionRestored = defineEvent('version.restored', version)
export const versionChanged = defineEvent('version.changed', version)
