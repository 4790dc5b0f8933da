import { z } from 'zod'
import { exportKinds } from '../../contracts/exports'
import { defineEvent } from '../../platform/events/defineEvent'

const exported = z.strictObject({ export: z.string(), kind: z.enum(exportKinds) })

/** Somebody has asked for the data: who, and of what. */
export const exportCreated = defineEvent('export.created', exported)
export const exportDeleted = defineEvent('export.deleted', exported)
