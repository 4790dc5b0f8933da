import type { z } from 'zod'
import { aiAnswerEffect } from '../../../engine/effects/aiAnswer'
import type { Json } from '../../../engine/values/json'
import type { debugMessage } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import type { ConversationRef } from '../conversations/conversations/conversationRef'
import type { Runtime } from '../conversations/runtime/createRuntime'

type Debug = z.infer<(typeof debugMessage)['answer']>

/** Characters of one call's request or result that are shown. */
const SHOWN = 20_000

/**
 * How one of the bot's messages came about, from the record of its turn. @throws ApiError not_found for a message of
 * somebody else, and one that no turn wrote
 */
export async function readDebug(
  db: Db,
  runtime: Pick<Runtime, 'variables' | 'groupOf'>,
  { id, project_id }: ConversationRef,
  seq: number,
): Promise<Debug> {
  const message = await db
    .selectFrom('messages')
    .select(['block_id', 'author', 'sender_id', 'words'])
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .where('seq', '=', seq)
    .executeTakeFirst()
  if (message?.author !== 1 || message.sender_id !== null) throw new ApiError('not_found')
  const record = await db
    .selectFrom('turn_records')
    .innerJoin('runs', 'runs.id', 'turn_records.run_id')
    .select(['runs.id as run_id', 'runs.number', 'runs.flow_version_id'])
    .select(['turn_records.turn', 'trace', 'variables', 'took'])
    .where('runs.conversation_id', '=', id)
    .where('runs.project_id', '=', project_id)
    .where('runs.first_seq', '<=', seq)
    .where('turn_records.last_seq', '>=', seq)
    .orderBy('turn_records.last_seq')
    .limit(1)
    .executeTakeFirst()
  if (!record) throw new ApiError('not_found')
  const asked = await db
    .selectFrom('messages')
    .select('words')
    .where('conversation_id', '=', id)
    .where('project_id', '=', project_id)
    .where('author', '=', 2)
    .where('seq', '<', seq)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  const calls = await db
    .selectFrom('effects')
    .select(['request', 'result'])
    .where('run_id', '=', record.run_id)
    .where('project_id', '=', project_id)
    .where('turn', '=', record.turn)
    .where('type', '=', 'call')
    .orderBy('position')
    .execute()
  const step = record.trace.find(({ blockId }) => blockId === message.block_id)
  const variables = await runtime.variables(project_id, record.flow_version_id)
  const named = variables.get(step?.flowId ?? null) ?? variables.get(null) ?? []
  const group = step ? await runtime.groupOf(project_id, record.flow_version_id, step) : null
  return {
    block: step ? { flow: step.flowId, id: step.blockId, kind: step.kind, group } : null,
    run: record.number,
    turn: record.turn,
    took: record.took,
    variables: named.map(({ id, name }) => ({ name, value: shown(record.variables[id] ?? null) })),
    calls: calls.map(({ request, result }) => ({
      service: serviceOf(request),
      request: shown(request),
      result: shown(result ?? null),
    })),
    notes: record.trace.flatMap(({ note }) => note ?? []),
    question: asked?.words ?? null,
    text: message.words,
    from_sources: calls.some(({ request }) => serviceOf(request) === aiAnswerEffect.name),
  }
}

const serviceOf = (request: Json): string =>
  typeof request === 'object' && request !== null && 'service' in request && typeof request.service === 'string'
    ? request.service
    : ''

/** A large value as the beginning of its text. */
function shown(value: Json): Json {
  const text = JSON.stringify(value)
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : value
}
