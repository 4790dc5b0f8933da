import type { Transaction } from 'kysely'
import { type Flow, flowCaps, type OtherFlow } from '../../../../engine/flow/schema'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import type { Database } from '../../../platform/database/tables'
import { ApiError } from '../../../platform/errors'
import type { Documents } from '../collab/documents'
import type { StoredDraft } from '../drafts/draftTasks'

export interface FlowRow {
  id: string
  gid: string
  project_id: string
  title: string
  is_main: boolean
}

/** A chatbot's flows: the main one first, the others in order of creation. */
export function flowsOf(db: Db, projectId: string, chatbotId: string): Promise<FlowRow[]> {
  return db
    .selectFrom('flows')
    .select(['id', 'gid', 'project_id', 'title', 'is_main'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', chatbotId)
    .orderBy('is_main', 'desc')
    .orderBy('id')
    .execute()
}

/** The stored drafts of all flows of a chatbot, and its main flow's row. */
export async function readChatbotDrafts(
  { db }: { db: Db },
  documents: Pick<Documents, 'readParts'>,
  projectId: string,
  chatbotId: string,
): Promise<{ drafts: StoredDraft[]; place: FlowRow }> {
  const rows = await flowsOf(db, projectId, chatbotId)
  const [place] = rows
  if (!place?.is_main) throw new ApiError('not_found')
  const drafts = await Promise.all(
    rows.map(async ({ id, gid, title }) => ({ id: gid, title, parts: await documents.readParts(projectId, id) })),
  )
  return { drafts, place }
}

/**
 * Adds flows beside a chatbot's main one; their gids become their ids. Concurrent calls for the same chatbot wait for
 * each other; a title already in use gets a number.
 * @throws ApiError invalid when the chatbot would have too many flows
 */
export async function addFlows(
  { clock }: Pick<ServerContext, 'clock'>,
  trx: Transaction<Database>,
  documents: Pick<Documents, 'seedFlow'>,
  chatbot: { id: string; projectId: string },
  flows: readonly (Omit<OtherFlow, 'flow'> & { flow: Flow | Uint8Array })[],
): Promise<FlowRow[]> {
  const present = await lockFlows(trx, chatbot)
  if (present.length - 1 + flows.length > flowCaps.flows) {
    throw new ApiError('invalid', { message: `A chatbot can have ${flowCaps.flows} flows besides its main flow.` })
  }
  const added: FlowRow[] = []
  for (const { id: gid, title, flow } of flows) {
    const row = await trx
      .insertInto('flows')
      .values({
        gid,
        project_id: chatbot.projectId,
        chatbot_id: chatbot.id,
        title: freeTitle(title, [...present, ...added]),
        is_main: false,
        created_at: clock(),
      })
      .returning(['id', 'gid', 'project_id', 'title', 'is_main'])
      .executeTakeFirstOrThrow()
    await documents.seedFlow(trx, chatbot.projectId, row.id, flow)
    added.push(row)
  }
  return added
}

/** The chatbot's flows, locked against adding, renaming and deleting. */
export async function lockFlows(trx: Transaction<Database>, chatbot: { id: string; projectId: string }) {
  await trx
    .selectFrom('chatbots')
    .select('id')
    .where('id', '=', chatbot.id)
    .where('project_id', '=', chatbot.projectId)
    .forUpdate()
    .executeTakeFirst()
  return flowsOf(trx, chatbot.projectId, chatbot.id)
}

export const isTaken = (title: string, rows: readonly FlowRow[]): boolean =>
  rows.some((row) => row.title.toLowerCase() === title.toLowerCase())

/** "Support", "Support 2", within the cap. */
function freeTitle(title: string, rows: readonly FlowRow[]): string {
  for (let number = 1; ; number++) {
    const suffix = number === 1 ? '' : ` ${number}`
    const candidate = `${title.slice(0, flowCaps.flowTitle - suffix.length)}${suffix}`
    if (!isTaken(candidate, rows)) return candidate
  }
}
