import { sql } from 'kysely'
import type { ServerContext } from '../../../platform/context'
import { type Consumer, defineConsumer } from '../../../platform/events/defineConsumer'
import { knowledgeTrained } from '../../knowledge/events'
import { startRun } from './startRun'

/**
 * Asks the evaluation questions of the chatbots that answer from what was trained, where their editors want it, so that
 * each training has a score beside the one before. A run that is going on takes the place of another one.
 */
export const runAfterTraining = (context: Pick<ServerContext, 'clock' | 'ids' | 'jobs'>): Consumer =>
  defineConsumer({
    name: 'evaluations-after-training',
    events: [knowledgeTrained],
    since: 'now',
    async handle(work, { projectId, payload: { chatbot } }) {
      const using = await work
        .selectFrom('chatbots')
        .select('id')
        .where('project_id', '=', projectId)
        .where('evaluates_training', '=', true)
        // without them no answer is given (SPEC.md 4), as by hand
        .where(sql<boolean>`trim(business_name) <> '' and trim(business_description) <> ''`)
        .where((eb) =>
          eb.or([eb.and([eb('id', '=', chatbot), eb('linked_kb_id', 'is', null)]), eb('linked_kb_id', '=', chatbot)]),
        )
        .orderBy('id')
        .execute()
      for (const { id } of using) await startRun(context, work, { projectId, chatbotId: id }, null)
    },
  })
