import type { Db } from '../../platform/database/database'
import type { SetupStep } from './tables'

interface Place {
  project_id: string
  chatbot_id: string
}

/**
 * The steps left to fill in of a chatbot's template, locked until the transaction ends, so that concurrent ticks are
 * both stored.
 */
export async function stepsForUpdate(trx: Db, { project_id, chatbot_id }: Place): Promise<SetupStep[]> {
  const { setup_steps } = await trx
    .selectFrom('chatbots')
    .select('setup_steps')
    .where('project_id', '=', project_id)
    .where('id', '=', chatbot_id)
    .forUpdate()
    .executeTakeFirstOrThrow()
  return setup_steps
}

export async function setSteps(trx: Db, { project_id, chatbot_id }: Place, steps: readonly SetupStep[]): Promise<void> {
  await trx
    .updateTable('chatbots')
    .set({ setup_steps: JSON.stringify(steps) })
    .where('project_id', '=', project_id)
    .where('id', '=', chatbot_id)
    .execute()
}
