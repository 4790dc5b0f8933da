import type { Transaction } from 'kysely'
import type { Recording } from '../../../../engine/run/recordingFormat'
import { TESTS_PER_CHATBOT } from '../../../contracts/recordings'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'

/**
 * Stores tests of a chatbot; they refer to its flows by gid. Concurrent calls are serialized, so that the limit holds.
 * @returns the gids of the tests, in order
 * @throws ApiError invalid if there would be too many
 */
export async function addRecordings(
  { ids, clock }: Pick<ServerContext, 'ids' | 'clock'>,
  trx: Transaction<Database>,
  place: { project_id: string; chatbot_id: string },
  recordings: readonly Recording[],
  userId: string,
): Promise<string[]> {
  const stored = recordings.map(({ name, ...recording }) => ({
    ...place,
    gid: ids(),
    name,
    recording: JSON.stringify(recording),
    created_by: userId,
    created_at: clock(),
  }))
  const chatbot = trx.selectFrom('chatbots').select('id').where('id', '=', place.chatbot_id)
  await chatbot.where('project_id', '=', place.project_id).forUpdate().executeTakeFirstOrThrow()
  const { count } = await trx
    .selectFrom('recordings')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', place.project_id)
    .where('chatbot_id', '=', place.chatbot_id)
    .executeTakeFirstOrThrow()
  if (Number(count) + stored.length > TESTS_PER_CHATBOT) {
    throw new ApiError('invalid', {
      message: `A chatbot can have ${TESTS_PER_CHATBOT} tests. Delete one you no longer need.`,
    })
  }
  if (stored.length > 0) await trx.insertInto('recordings').values(stored).execute()
  return stored.map(({ gid }) => gid)
}
