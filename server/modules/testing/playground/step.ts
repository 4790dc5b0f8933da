import { Budget } from '../../../../engine/budget'
import { secretReference } from '../../../../engine/flow/httpSecrets'
import { inspectStep } from '../../../../engine/run/inspectStep'
import type { Session } from '../../../../engine/run/session'
import { newSession, type TurnInput } from '../../../../engine/run/turn'
import type { DynamicValue } from '../../../../engine/values/dynamicValue'
import type { Json } from '../../../../engine/values/json'
import { printValue, renderText, type Variables, variableValue } from '../../../../engine/values/render'
import { richTextToString } from '../../../../engine/values/richText'
import { secretNameOf } from '../../../../engine/values/secrets'
import type { StepDetail } from '../../../contracts/playground'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import type { Conversation } from '../../conversations/runtime/rows'
import { OWN_UNITS } from '../../conversations/runtime/turnThreads'
import type { ReceivedTurn } from '../../conversations/tables'

/**
 * Shows one step of a tester's conversation: turns are pure, so the block's input is recomputed from the turn's
 * recorded inputs.
 * @param at `step` is the number in the turn's trace
 * @throws ApiError not_found if there is no such step
 */
export async function readStep(
  { db }: { db: Db },
  runtime: Runtime,
  row: Conversation,
  at: { turn: number; step: number },
): Promise<StepDetail> {
  const records = await db
    .selectFrom('turn_records')
    .select(['turn', 'trace', 'received', 'session', 'last_seq'])
    .where('run_id', '=', row.run_id)
    .where('project_id', '=', row.project_id)
    .where('turn', 'in', [at.turn - 1, at.turn])
    .orderBy('turn')
    .execute()
  const record = records.find(({ turn }) => turn === at.turn)
  const before = records.find(({ turn }) => turn === at.turn - 1)
  const step = record?.trace[at.step]
  if (!record || !step) throw new ApiError('not_found')
  const earlier = record.trace.slice(0, at.step).reduce((sum, { messages }) => sum + messages, 0)
  const messages = await db
    .selectFrom('messages')
    .select('content')
    .where('conversation_id', '=', row.id)
    .where('project_id', '=', row.project_id)
    .where('author', '=', 1)
    .where('seq', '>', before?.last_seq ?? 0)
    .where('seq', '<=', record.last_seq ?? 0)
    .orderBy('seq')
    .offset(earlier)
    .limit(step.messages)
    .execute()
  const said = { messages: messages.map(({ content }) => content), writes: step.writes }
  const { received } = record
  const program = await runtime.program(row.project_id, row.flow_version_id)
  const began: Session | null =
    at.turn > 0
      ? (before?.session ?? null)
      : newSession(program, { ...received?.variables, ...received?.set }, received?.from ?? null)
  if (!received || !began) return { ...said, data: null, effects: [] }
  const found = inspectStep(program, began, inputOf(received, row), received.answers, at.step, new Budget(OWN_UNITS))
  if (!found) return { ...said, data: null, effects: [] }
  const { runnable } = program.flow(step.flowId)?.blocks.get(step.blockId) ?? {}
  const spoken = program.spoken(found.variables.sys_language)
  const data = runnable?.dataIn?.(spoken) ?? runnable?.data ?? null
  return {
    ...said,
    data: resolved(data as Json, found.variables),
    effects: received.answers.slice(found.from, found.to).map((answer, index) => ({
      ...answer,
      took: received.took?.[found.from + index] ?? null,
    })),
  }
}

function inputOf({ reply, continued }: ReceivedTurn, { start_event }: Conversation): TurnInput {
  if (reply) return { type: 'reply', reply }
  return continued ? { type: 'continue' } : { type: 'start', event: start_event }
}

/** A block's data with variables replaced: rich texts and one-line values as plain text, the rest unchanged. */
function resolved(data: Json, variables: Variables): Json {
  if (Array.isArray(data)) {
    if (data.length > 0 && data.every(isParagraph)) {
      return richTextToString(data as never, (id, path) => printValue(variableValue(variables, id, path)))
    }
    return data.map((item) => resolved(item, variables))
  }
  if (typeof data !== 'object' || data === null) return data
  if (isDynamicValue(data)) return renderText(nameSecrets(data), variables)
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, resolved(value, variables)]))
}

/** A secret is shown as its reference. */
const nameSecrets = (value: DynamicValue): DynamicValue =>
  value.type === 'static'
    ? value
    : {
        ...value,
        parts: value.parts.map((part): typeof part => {
          const name = part.type === 'variable' ? secretNameOf(part.variable_id) : null
          return name === null ? part : { type: 'text', text: secretReference(name) }
        }),
      }

const isParagraph = (item: Json): boolean =>
  typeof item === 'object' && item !== null && 'type' in item && item.type === 'paragraph' && 'children' in item
const isDynamicValue = (data: object): data is DynamicValue =>
  'type' in data && ((data.type === 'static' && 'value' in data) || (data.type === 'dynamic' && 'parts' in data))
