import { z } from 'zod'
import { defineJob } from '../../../platform/jobs/defineJob'

/** A project compares meanings by another model from now on: what was embedded by the one before is embedded again. */
export const embedderChanged = defineJob('models.embedder-changed', z.strictObject({ projectId: z.string() }))
