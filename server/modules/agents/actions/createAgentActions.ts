import { createHash } from 'node:crypto'
import { type AgentAction, parametersOf } from '../../../../engine/values/agentActions'
import type { Json } from '../../../../engine/values/json'
import type { Variables } from '../../../../engine/values/render'
import { entitlementsOf } from '../../../access/entitlements'
import { type ActionRun, planFeatures } from '../../../contracts/actions'
import type { RecordedCall } from '../../../contracts/answers'
import type { ServerContext } from '../../../platform/context'
import type { CallContext, Writes } from '../../../platform/effects/callContext'
import { createOutboundFetch } from '../../../platform/outbound/outboundFetch'
import { networksOf } from '../../../platform/outbound/projectNetworks'
import { createHandOffHandler } from '../../handOff/handOffHandler'
import type { KnowledgePlace } from '../../knowledge/knowledge'
import type { Mailer } from '../../mails/createMailer'
import { createToolServers, type ToolServers } from '../toolServers/toolServers'
import type { ActionCall, FieldLabels, Outcome } from './actionCall'
import { type AgentTool, type AnswerTools, refused, type Step, type ToolOutcome, toolSetOf } from './agentTool'
import type { Bookings } from './appointment'
import { argumentSchema, readArguments, toolNames } from './arguments'
import { type ActionServices, carryOut } from './carryOut'
import { createHeaderSecrets } from './headerSecrets'
import { replayed } from './replay'
import { type ActionRow, actionOf, actionRows } from './rows'
import { createActionUses, type Talk } from './uses'

/** For whom actions are used. */
export interface ActionsFor {
  place: KnowledgePlace
  /** of the answer: a repeated call within one answer is carried out once */
  key: string
  /** names a playground conversation; null: each answer is a separate one */
  talk: string | null
  /** the flow's call, whose conversation counts; absent: the playground, an evaluation or a test */
  call?: CallOfFlow | undefined
  /** what happens to their changes outside */
  writes: Writes
  /** recorded results of actions, which are then not carried out */
  recorded?: readonly RecordedCall[] | undefined
  signal?: AbortSignal | undefined
  labels?: FieldLabels
  /** where each call is recorded */
  steps?: Step[]
}

/** What actions know about a flow's call. */
export type CallOfFlow = Pick<CallContext, 'conversation' | 'run'>

/** What a chatbot's model may do besides answering. */
export interface AgentActions {
  /** Null: no action is available now, or the plan includes none. Don't call it for a model that can't use tools. */
  toolsFor(wanted: ActionsFor): Promise<AnswerTools | null>
  /** Tries one out for its editor, as in a conversation. */
  test(place: KnowledgePlace, action: AgentAction, input: Record<string, Json>, how: TestRun): Promise<ActionRun>
}

interface TestRun {
  writes: Exclude<Writes, 'real'>
  signal: AbortSignal
}

export function createAgentActions(
  context: ServerContext,
  send: Mailer,
  bookings: Bookings,
  toolServers: ToolServers = createToolServers(context),
): AgentActions {
  const { db, clock, config, ids, log } = context
  const services: ActionServices = {
    fetchOutbound: createOutboundFetch({ allowed: config.outboundAllow }),
    networksOf: (projectId) => networksOf(context, projectId),
    send,
    handOff: createHandOffHandler(context, send),
    bookings,
    config,
    clock,
  }
  const uses = createActionUses(context)
  const headers = createHeaderSecrets(config)

  /** A row as a tool. What the model may do is checked here, whatever it was told. */
  function toolOf(row: ActionRow, name: string, talk: Talk, known: Known, { key: answerKey, ...how }: How): AgentTool {
    const action = actionOf(row)
    const once = action.frequency === 'once'

    async function run(input: unknown, signal: AbortSignal): Promise<ToolOutcome> {
      const read = readArguments(parametersOf(action), input)
      if ('problem' in read) return refused(read.problem)
      const full = headers.opened(row)
      if (!full) return { ...refused('The action failed.'), detail: UNREADABLE }
      const values = { ...known.system, ...known.kept, ...read.values }
      const call = {
        projectId: talk.projectId,
        key: keyOf(answerKey, row, read.values),
        signal,
        labels: known.labels,
        ...how,
      }
      if (action.kind === 'appointment') {
        const wish = wishOf(talk, read.values)
        if (wish === null || !(await uses.wasAsked(talk, row.id, `asked.${wish}`, answerKey))) {
          const { saved: _, ...asking } = await attempt(() =>
            carryOut(services, full, values, { ...call, agreed: false }),
          )
          if (asking.ok && wish !== null) await uses.ask(talk, row.id, `asked.${wish}`, answerKey)
          return asking
        }
        // by whichever answer: a conversation books the same but once
        call.key = `${row.gid}.${wish}`
      }
      const { key } = call
      const claim = await uses.claim(talk, { id: row.id, once }, key)
      if (claim.go === 'busy') return refused('The same is being done already.')
      if (claim.go === 'used-up') return refused('This was done in this conversation already, and is done once only.')
      // receivers of other actions detect a repetition by its key; an HTTP request must not be sent twice
      if (claim.go === 'before' && action.kind === 'http-request')
        return { ok: true, answer: claim.answer, detail: 'As before: it is carried out once.', ...keep(claim.saved) }
      const { saved, ...outcome } = await attempt(() => carryOut(services, full, values, call))
      if (claim.go === 'before' && action.kind === 'appointment') outcome.answer = { booked: true, note: BOOKED_BEFORE }
      if (claim.go === 'yes')
        await uses.finish(talk.projectId, row.id, claim.id, { ...outcome, ...(saved !== undefined && { saved }) })
      if (saved !== undefined && row.save_to !== null) known.kept[row.save_to] = saved
      return { ...outcome, ...(saved !== undefined && keep(saved)) }
    }
    const keep = (value: Json) => (row.save_to === null ? {} : { saved: { name: row.save_to, value } })

    return {
      name,
      title: row.name,
      description: describe(action),
      schema: argumentSchema(parametersOf(action)),
      run,
      simulate: run,
    }
  }

  async function attempt(work: () => Promise<Outcome> | Outcome): Promise<Outcome> {
    try {
      return await work()
    } catch (error) {
      log.error({ err: error }, 'an action threw instead of answering')
      return refused('The action failed.')
    }
  }

  async function featuresOf(projectId: string) {
    const row = await db
      .forProject(projectId)
      .selectFrom('projects')
      .select(['plan_id', 'addons'])
      .where('id', '=', projectId)
      .executeTakeFirst()
    return entitlementsOf(row ?? { plan_id: 'free', addons: {} }).features
  }

  return {
    async toolsFor({ place, key, talk: named, call, writes, recorded, signal, labels, steps = [] }) {
      const [rows, offered] = await Promise.all([
        actionRows(db.forProject(place.projectId), place).where('enabled', '=', true).execute(),
        toolServers.toolsOf(place, { isTest: writes !== 'real' }),
      ])
      const has = rows.length + offered.length === 0 ? null : await featuresOf(place.projectId)
      const allowed = rows.filter((row) => planFeatures(row).every((feature) => has?.[feature]))
      const foreign = has?.actions ? offered : []
      if (allowed.length + foreign.length === 0) return null
      const talk = {
        projectId: place.projectId,
        name: call?.conversation.gid ?? named ?? key,
        conversationId: call?.conversation.id ?? null,
      }
      const [usedUp, kept] = await Promise.all([uses.usedUp(talk), uses.kept(talk)])
      const system = systemValues(call?.run.variables ?? {})
      const open = allowed.filter(({ id }) => !usedUp.has(id))
      if (open.length + foreign.length === 0) return null
      const names = toolNames([...open.map(({ name }) => name), ...foreign.map(({ title }) => title)], 'action')
      const how = { key, writes, call: call ?? null }
      const tools = [
        ...open.map((row, at) => toolOf(row, names[at] ?? '', talk, { system, kept, labels }, how)),
        ...foreign.map((tool, at) => ({ ...tool, name: names[open.length + at] ?? '' })),
      ]
      return toolSetOf(recorded ? replayed(tools, recorded) : tools, { writes, signal, steps })
    },

    async test({ projectId }, action, input, { writes, signal }) {
      const began = performance.now()
      const run: AgentTool['run'] = async (given, ending) => {
        const read = readArguments(parametersOf(action), given)
        if ('problem' in read) return refused(read.problem)
        const call = { projectId, call: null, key: `test.${ids()}`, signal: ending, writes }
        const { saved, ...outcome } = await attempt(() => carryOut(services, action, read.values, call))
        return outcome
      }
      const tool = { name: 'test', title: action.name, description: '', schema: {}, run, simulate: run }
      const { steps, parts, use } = await toolSetOf([tool], { writes, signal })
      const result = await use(tool, input)
      return {
        ok: steps.every((step) => step.ok),
        result,
        parts,
        steps,
        ms: Math.round(performance.now() - began),
      }
    },
  }
}

const UNREADABLE = 'The values of its headers can no longer be read. Enter them again in the action.'

/** For which answer a tool is used, and what happens to its changes. */
type How = Pick<ActionCall, 'key' | 'call' | 'writes'>

/** Values of placeholders besides the arguments. */
interface Known {
  system: Variables
  kept: Record<string, Json>
  labels: FieldLabels | undefined
}

/** Sentences for the model, with an editor's text in them. */
const describe = ({ kind, description, frequency }: AgentAction): string =>
  [
    description,
    ...(kind === 'appointment' ? [HOW_TO_BOOK] : []),
    ...(frequency === 'once' ? ['(Once in a conversation.)'] : []),
  ].join('\n')

const HOW_TO_BOOK =
  'Without start it lists free times. With start, name and email it prepares a booking: the visitor has to agree, in their next message, before it is called again with the same values.'

const BOOKED_BEFORE =
  'This was booked earlier in this conversation, and is not booked twice. The visitor may have moved or cancelled it since.'

/** What a call wants to be booked; null: it only asks for times. */
function wishOf({ name }: Talk, { start, name: who, email, phone }: Record<string, Json>): string | null {
  if (typeof start !== 'string') return null
  const at = Date.parse(start)
  const wish = [Number.isNaN(at) ? start : at, who, email, phone].map((value) => value ?? '')
  return `${name}.${createHash('sha256').update(JSON.stringify(wish)).digest('hex').slice(0, 32)}`
}

/** The same arguments within one answer are the same call, also when it is repeated after a crash. */
const keyOf = (answerKey: string, { gid }: ActionRow, values: Record<string, Json>): string =>
  `${answerKey}.${gid}.${createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16)}`

/** System variables by the names that editors use: `contact_email`. */
const systemValues = (variables: Variables): Variables =>
  Object.fromEntries(
    Object.entries(variables).flatMap(([id, value]) => (id.startsWith('sys_') ? [[id.slice(4), value]] : [])),
  )
