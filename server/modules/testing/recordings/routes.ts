import type { FastifyInstance } from 'fastify'
import {
  parseRecordings,
  type Recording,
  remapRecording,
  serialiseRecordings,
} from '../../../../engine/run/recordingFormat'
import type { Json } from '../../../../engine/values/json'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/recordings'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import type { Documents } from '../../flows/collab/documents'
import { flowsOf, readChatbotDrafts } from '../../flows/flows/chatbotFlows'
import { refusing } from '../../flows/flows/readFlowFile'
import { createRecordCleaner } from '../../secrets/openRecords'
import { createProjectSecrets } from '../../secrets/projectSecrets'
import { addRecordings } from './addRecordings'
import { keepConversation } from './keepConversation'
import { replayTests } from './replayTests'

type Place = { project_id: string; chatbot_id: string }

/** Routes for a chatbot's tests: kept playground conversations, and their results with the present draft. */
export function registerRecordings(
  app: FastifyInstance,
  context: ServerContext,
  runtime: Runtime,
  documents: Documents,
): void {
  const { drafts } = documents
  const secrets = createProjectSecrets(context)

  const placeOf = async ({ db, project: { id: projectId } }: ProjectCaller, cgid: string): Promise<Place> => ({
    project_id: projectId,
    chatbot_id: (await chatbotOf(db, projectId, cgid)).id,
  })
  const testsOf = (db: ProjectDb, { chatbot_id }: Pick<Place, 'chatbot_id'>) =>
    db
      .selectFrom('recordings')
      .leftJoin('users', 'users.id', 'recordings.created_by')
      .select(['recordings.gid', 'recordings.name', 'recordings.recording', 'recordings.created_at'])
      .select(['users.first_name', 'users.last_name'])
      .where('recordings.chatbot_id', '=', chatbot_id)
      .orderBy('recordings.id')
  type Row = Awaited<ReturnType<ReturnType<typeof testsOf>['execute']>>[number]
  const recordingOf = ({ name, recording }: Row): Recording => ({ ...recording, name })
  const present = ({ gid, name, recording, created_at, first_name, last_name }: Row): contract.KeptTest => ({
    gid,
    name,
    turns: recording.turns.length,
    at: created_at.toISOString(),
    by: [first_name, last_name].filter(Boolean).join(' '),
  })
  /** The drafts in the form for replaying. */
  async function soundDrafts(caller: ProjectCaller, { project_id, chatbot_id }: Place) {
    const { drafts: stored } = await readChatbotDrafts(caller, documents, project_id, chatbot_id)
    const { intents, ...flows } = await drafts.work(project_id, 'sound', { drafts: stored })
    return { ...flows, replay: await runtime.replays(project_id, flows.version, intents) }
  }

  async function add(caller: ProjectCaller, place: Place, recordings: readonly Recording[]): Promise<Row[]> {
    const added = await caller.db
      .transaction()
      .execute((trx) => addRecordings(context, trx, place, recordings, caller.user.id))
    return (await testsOf(caller.db, place).execute()).filter(({ gid }) => added.includes(gid))
  }

  /** Throws not_found unless the chatbot has the test. */
  async function change(
    db: ProjectDb,
    place: Place,
    gid: string,
    changes: { name?: string; recording?: string },
  ): Promise<void> {
    const changed = await db
      .updateTable('recordings')
      .set(changes)
      .where('gid', '=', gid)
      .where('chatbot_id', '=', place.chatbot_id)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) throw new ApiError('not_found')
  }

  /** Files refer to a chatbot's other flows like its exported file: by their order. */
  async function fileIds(db: ProjectDb, place: Place): Promise<{ gid: string; inFile: string }[]> {
    const rows = await flowsOf(db, place.project_id, place.chatbot_id)
    return rows.filter((row) => !row.is_main).map(({ gid }, index) => ({ gid, inFile: `flow-${index + 1}` }))
  }

  registerRoute(app, context, contract.listTests, async ({ params, caller }) => {
    const rows = await testsOf(caller.db, await placeOf(caller, params.cgid)).execute()
    return { tests: rows.map(present) }
  })

  registerRoute(app, context, contract.keepTest, async ({ params, body, caller }) => {
    const place = await placeOf(caller, params.cgid)
    const chatbot = { id: place.chatbot_id, projectId: place.project_id }
    const row = await runtime.findForTester(chatbot, body.conversation, caller.user.id)
    const [added] = await add(caller, place, [await keepConversation({ db: caller.db, drafts }, runtime, row, body)])
    if (!added) throw new ApiError('internal')
    return { test: present(added) }
  })

  registerRoute(app, context, contract.runTests, async ({ params, caller }) => {
    const place = await placeOf(caller, params.cgid)
    const rows = await testsOf(caller.db, place).execute()
    const tests = rows.map((row) => ({ gid: row.gid, recording: recordingOf(row) }))
    const { replay, ...flows } = await soundDrafts(caller, place)
    return drafts.work(place.project_id, 'reportTests', { ...flows, replays: await replayTests(replay, tests) })
  })

  registerRoute(app, context, contract.renameTest, async ({ params, body, caller }) => {
    await change(caller.db, await placeOf(caller, params.cgid), params.gid, { name: body.name })
    return {}
  })

  registerRoute(app, context, contract.acceptTest, async ({ params, caller }) => {
    const place = await placeOf(caller, params.cgid)
    const row = await testsOf(caller.db, place).where('recordings.gid', '=', params.gid).executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const { replay } = await soundDrafts(caller, place)
    const { name: _, ...recording } = (await replay(recordingOf(row))).present
    await change(caller.db, place, params.gid, { recording: JSON.stringify(recording) })
    return {}
  })

  registerRoute(app, context, contract.deleteTest, async ({ params, caller }) => {
    const { chatbot_id } = await placeOf(caller, params.cgid)
    const deleted = await caller.db
      .deleteFrom('recordings')
      .where('gid', '=', params.gid)
      .where('chatbot_id', '=', chatbot_id)
      .executeTakeFirst()
    if (deleted.numDeletedRows === 0n) throw new ApiError('not_found')
    return {}
  })

  registerRoute(app, context, contract.exportTests, async ({ params, caller }) => {
    const place = await placeOf(caller, params.cgid)
    const [rows, flows] = await Promise.all([testsOf(caller.db, place).execute(), fileIds(caller.db, place)])
    const inFile = new Map(flows.map((flow) => [flow.gid, flow.inFile]))
    const recordings = rows.map((row) => remapRecording(recordingOf(row), (id) => inFile.get(id) ?? id))
    return { file: serialiseRecordings(recordings) }
  })

  registerRoute(app, context, contract.importTests, async ({ params, body, caller }) => {
    const place = await placeOf(caller, params.cgid)
    const values = await secrets.valuesOf(caller.project.id)
    const { clean } = createRecordCleaner(new Map(Array.from(values, ([name, value]) => [value, name])), null)
    const read = refusing('source', () => parseRecordings(body.source)).map(
      (recording) => clean(recording as Json) as unknown as Recording,
    )
    const gids = new Map((await fileIds(caller.db, place)).map((flow) => [flow.inFile, flow.gid]))
    const recordings = read.map((recording) => remapRecording(recording, (id) => gids.get(id) ?? id))
    return { added: (await add(caller, place, recordings)).length }
  })
}
