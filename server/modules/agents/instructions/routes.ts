import type { FastifyInstance } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { type Instructions, readInstructions, updateInstructions, VERSIONS_CAP } from '../../../contracts/instructions'
import type { ServerContext } from '../../../platform/context'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import { appendEvent } from '../../../platform/events/defineEvent'
import { instructionsChanged } from '../events'

interface Place {
  projectId: string
  chatbotId: string
}

/** Routes for a chatbot's instructions and their versions. */
export function registerInstructions(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readInstructions, async ({ caller, params }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    return read(caller.db, { projectId: caller.project.id, chatbotId: id })
  })

  registerRoute(app, context, updateInstructions, async ({ caller, params, body, origin }) => {
    const { id } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const place = { projectId: caller.project.id, chatbotId: id }
    return caller.db.transaction().execute(async (trx) => {
      // row lock: of two concurrent saves, the second one sees what the first has saved
      const { instructions } = await trx
        .selectFrom('chatbots')
        .select('instructions')
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (instructions !== body.was && instructions !== body.text) throw new ApiError('conflict')
      if (instructions !== body.text) {
        const version = await save(context, trx, place, body.text, caller.user.id)
        await appendEvent(trx, instructionsChanged, origin, { chatbot: params.cgid, version })
      }
      return read(trx, place)
    })
  })
}

async function read(db: Kysely<Database>, { projectId, chatbotId }: Place): Promise<Instructions> {
  const { instructions } = await db
    .selectFrom('chatbots')
    .select('instructions')
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  const rows = await db
    .selectFrom('instruction_versions as version')
    .leftJoin('users', 'users.id', 'version.created_by')
    .select(['version.gid', 'version.text', 'version.created_at', 'users.first_name', 'users.last_name'])
    .where('version.chatbot_id', '=', chatbotId)
    .where('version.project_id', '=', projectId)
    .orderBy('version.id', 'desc')
    .limit(VERSIONS_CAP)
    .execute()
  return {
    text: instructions,
    versions: rows.map(({ gid, text, created_at, first_name, last_name }) => ({
      gid,
      text,
      by: [first_name, last_name].filter(Boolean).join(' ') || null,
      at: created_at.toISOString(),
    })),
  }
}

/** Saves the text with a version of it; the oldest version is deleted if there are too many. @returns its gid */
async function save(
  { ids, clock }: ServerContext,
  trx: Transaction<Database>,
  { projectId, chatbotId }: Place,
  text: string,
  userId: string,
): Promise<string> {
  const at = clock()
  const gid = ids()
  const place = { project_id: projectId, chatbot_id: chatbotId }
  await trx
    .updateTable('chatbots')
    .set({ instructions: text, updated_at: at })
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .execute()
  await trx
    .insertInto('instruction_versions')
    .values({ ...place, gid, text, created_by: userId, created_at: at })
    .execute()
  await trx
    .deleteFrom('instruction_versions')
    .where('chatbot_id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .where('id', 'not in', ({ selectFrom }) =>
      selectFrom('instruction_versions as kept')
        .select('kept.id')
        .where('kept.chatbot_id', '=', chatbotId)
        .where('kept.project_id', '=', projectId)
        .orderBy('kept.id', 'desc')
        .limit(VERSIONS_CAP),
    )
    .execute()
  return gid
}
