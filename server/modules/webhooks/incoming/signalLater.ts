import { z } from 'zod'
import { jsonSchema } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import type { Runtime } from '../../conversations/runtime/createRuntime'

/** Goes on with a conversation by a call that was answered at once. */
export const signalLater = defineJob(
  'webhook-signal',
  z.strictObject({
    conversation: z.string(),
    /** the row of the trigger */
    trigger: z.string(),
    signal: z.strictObject({ trigger: z.string(), values: z.record(z.string(), jsonSchema) }),
  }),
)

/** The job that does; what the conversation can't take any more is said in the form of the trigger. */
export const signalsLater = (context: ServerContext, runtime: Pick<Runtime, 'signal'>): HandledJob =>
  signalLater.handledBy(async ({ conversation, trigger, signal }, { projectId }) => {
    if (projectId === null) return undefined
    try {
      await runtime.signal({ id: conversation, project_id: projectId }, signal)
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error
      await context.db
        .forProject(projectId)
        .updateTable('webhook_triggers')
        .set({ problem: error.message })
        .where('id', '=', trigger)
        .execute()
    }
    return undefined
  })
