import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { Budget, BudgetSpent, TURN_UNITS } from '../../../../engine/budget'
import { messageToString } from '../../../../engine/flow/conversationWords'
import type { SignalRules } from '../../../../engine/flow/defineBlock'
import type { Json } from '../../../../engine/values/json'
import { readJsonPath } from '../../../../engine/values/jsonPath'
import { registerRoute, unsigned } from '../../../access/register'
import * as contract from '../../../contracts/webhookTriggers'
import type { ServerContext } from '../../../platform/context'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import { API } from '../../conversations/channels/channel'
import { publishedVersionOf } from '../../conversations/chat/publishedVersionOf'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import { type CalledConversation, findByGid, findByKey } from './conversations'
import { signalLater } from './signalLater'
import type { TriggerRow, Triggers } from './triggers'

type Answer = z.infer<typeof contract.callHook.answer>

/** Calls of one trigger in a minute. */
const A_MINUTE = 120
/** How often a call looks again for the conversation that another one with its key begins. */
const TRIES = 3
const LONGEST_KEY = 200
const LONGEST_PROBLEM = 500

/** The route that other programs call: it starts conversations, and goes on with them. */
export function registerCalls(
  app: FastifyInstance,
  context: ServerContext,
  { triggers, runtime }: { triggers: Triggers; runtime: Runtime },
): void {
  const attempts = context.limits.attempts('webhook trigger', A_MINUTE, 60_000)

  registerRoute(
    app,
    context,
    contract.callHook,
    async ({ params: { token }, body, request, reply }) => {
      const row = await triggers.find(token)
      if (!row) throw unknown()
      await attempts.take(row.gid)
      await note(row, body)
      try {
        const answer = await take(row, body, request)
        if (answer.state === null) reply.status(202)
        await note(row, undefined, null)
        return answer
      } catch (error) {
        if (error instanceof ApiError) await note(row, undefined, error.message)
        throw error
      }
    },
    async ({ token }) => {
      const row = await triggers.find(token)
      if (!row) throw unknown()
      const secret = triggers.secretOf(row)
      return secret === null ? unsigned : (secret ?? null)
    },
  )

  /** Keeps what was sent, for the form, before anything can refuse it; or what came of it. */
  async function note(row: TriggerRow, body: Json | undefined, problem: string | null = null): Promise<void> {
    const at = context.clock()
    const text = body === undefined ? undefined : JSON.stringify(body)
    await context.db
      .forProject(row.project_id)
      .updateTable('webhook_triggers')
      .set({
        ...(text !== undefined && {
          ...{ called_at: at, sample_at: at },
          sample: text.length <= contract.HOOK_SAMPLE ? text : null,
        }),
        problem: problem?.slice(0, LONGEST_PROBLEM) ?? null,
      })
      .where('id', '=', row.id)
      .execute()
  }

  async function take(row: TriggerRow, body: Json, request: FastifyRequest): Promise<Answer> {
    const db = context.db.forProject(row.project_id)
    const versionId = await publishedVersionOf(db, row.chatbot_id)
    const rules = versionId === null ? null : await rulesOf(row, versionId)
    if (versionId === null || !rules)
      throw new ApiError('conflict', { message: 'No published flow has this webhook. Publish it, and call again.' })
    const read = readBody(rules, body)
    const signal = { trigger: row.block_id, values: read.values }
    const named = read.conversation !== null
    for (let tries = 0; ; tries++) {
      const present = named
        ? await findByGid(db, row, read.conversation)
        : read.key === null
          ? null
          : await findByKey(db, row, read.key)
      if (present) return goOn(row, present, signal, rules)
      const options = {
        ...{ projectId: row.project_id, chatbotId: row.chatbot_id, versionId, environment: 'production' as const },
        ...{ channel: API, address: read.key ?? context.ids(), startedBy: null },
        clientId: clientIdOf(row, request) ?? context.ids(),
        event: { type: 'start' as const, signal },
      }
      try {
        if (!rules.answers) {
          const { gid } = await runtime.startSoon(options)
          return { conversation: gid, started: true, state: null, messages: [] }
        }
        const { ref } = await runtime.start(options)
        return { started: true, ...(await said(ref, 1)) }
      } catch (error) {
        // a call with the same key has started one meanwhile
        if (!isUniqueViolation(error) || tries >= TRIES) throw error
      }
    }
  }

  async function goOn(
    row: TriggerRow,
    present: CalledConversation,
    signal: { trigger: string; values: Record<string, Json> },
    rules: SignalRules,
  ): Promise<Answer> {
    if (present.status === 'closed')
      throw new ApiError('conversation_closed', { message: `The conversation ${present.gid} is closed.` })
    if (present.status === 'person')
      throw new ApiError('conflict', { message: `A person has the conversation ${present.gid} now.` })
    const ref = { id: present.id, project_id: row.project_id }
    if (rules.answers) return { started: false, ...(await said(ref, await runtime.signal(ref, signal))) }
    await context.jobs.schedule(context.db.forProject(row.project_id), signalLater, {
      payload: { conversation: present.id, trigger: row.id, signal },
      runAt: context.clock(),
      projectId: row.project_id,
    })
    context.jobs.wake()
    return { conversation: present.gid, started: false, state: null, messages: [] }
  }

  async function said(ref: { id: string; project_id: string }, from: number): Promise<Omit<Answer, 'started'>> {
    const { gid, state, messages } = await runtime.read(ref, from)
    return {
      conversation: gid,
      state,
      messages: messages.flatMap(({ author, content }) =>
        author === 1 ? [{ kind: content.kind, text: messageToString(content) }] : [],
      ),
    }
  }

  async function rulesOf(row: TriggerRow, versionId: string): Promise<SignalRules | null> {
    const program = await runtime.program(row.project_id, versionId)
    const runnable = program.blocks.get(row.block_id)?.runnable
    return runnable?.definition.signals?.(runnable.data) ?? null
  }
}

const unknown = () => new ApiError('not_found', { message: 'No webhook has this address. Copy it again.' })

/**
 * What a call says, by the rules of its trigger. @throws ApiError invalid, which names the path of what is missing or
 * can't be used
 */
function readBody(rules: SignalRules, body: Json) {
  const { conversationPath, keyPath } = rules
  try {
    return new Budget(TURN_UNITS).during(() => {
      const { values, missing } = rules.read(body)
      const [first] = missing
      if (first !== undefined) throw at(first, `Nothing was sent at ${missing.join(', ')}.`)
      const conversation = conversationPath === '' ? null : readJsonPath(conversationPath, body)
      if (conversation !== null && typeof conversation !== 'string')
        throw at(conversationPath, `What was sent at ${conversationPath} is no id of a conversation.`)
      return { values, conversation: conversation || null, key: keyPath === '' ? null : readKey(keyPath, body) }
    })
  } catch (error) {
    if (error instanceof BudgetSpent)
      throw new ApiError('invalid', { message: 'Reading the values takes too much work: send less, or shorten paths.' })
    throw error
  }
}

function readKey(path: string, body: Json): string {
  const key = readJsonPath(path, body)
  const text = typeof key === 'number' ? String(key) : key
  if (typeof text !== 'string' || text === '') throw at(path, `Nothing was sent at ${path}, the key.`)
  if (text.length > LONGEST_KEY)
    throw at(path, `The key at ${path} has ${text.length} characters; at most ${LONGEST_KEY} are taken.`)
  return text
}

const at = (path: string, message: string) => new ApiError('invalid', { message, fields: { [path]: message } })

/** The same id twice starts one conversation. */
function clientIdOf(row: TriggerRow, { headers }: FastifyRequest): string | null {
  const given = headers['idempotency-key'] ?? headers['webhook-id']
  if (typeof given !== 'string' || given === '') return null
  return `call-${createHash('sha256').update(`${row.gid}.${given}`).digest('hex').slice(0, 40)}`
}
