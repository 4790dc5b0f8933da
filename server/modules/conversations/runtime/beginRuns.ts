import { sql } from 'kysely'
import type { ChannelTraits } from '../../../../engine/flow/capabilities'
import type { StartEvent } from '../../../../engine/flow/conversation'
import type { EdgeTarget } from '../../../../engine/flow/schema'
import type { Program } from '../../../../engine/run/program'
import type { Place, Session } from '../../../../engine/run/session'
import { setByHand } from '../../../../engine/run/setByHand'
import { newSession } from '../../../../engine/run/turn'
import type { Json } from '../../../../engine/values/json'
import { type SystemVariableName, systemValues } from '../../../../engine/values/systemVariables'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent, eventRow, type NewEvent } from '../../../platform/events/defineEvent'
import type { Channels } from '../channels/channel'
import { about, conversationStarted, runEnded, runStarted, turnContext } from '../events'
import type { Opening, Pauses } from '../tables'
import type { createPrograms } from './programs'
import { type Conversation, type RunRef, updateRun } from './rows'
import type { Pass } from './shareLock'

/** How a run starts. */
export interface RunOptions {
  versionId: string
  /** the event that starts it; default: a plain start */
  event?: StartEvent
  /** the visitor's message that starts it; it does not answer a question of the run */
  opening?: Opening
}

export interface StartOptions extends RunOptions {
  projectId: string
  chatbotId: string
  environment: Conversation['environment']
  /** the channel's name and the visitor's address on it; absent: the web, whose visitors hold a token */
  channel?: string
  address?: string
  /** idempotency key: the same id starts one conversation, however often it is sent */
  clientId: string
  /** the testing user's id; null for visitors, who get a token instead */
  startedBy: string | null
  /** the visitor's browser, the visit and the contact, as far as they are known */
  visitor?: { hash: Buffer | null; visit: string | null; contactId?: string } | null
  /** what it took to open a locked shared page */
  pass?: Pass
  /** known system variables of the visitor and their location, in addition to those the runtime sets itself */
  known?: Partial<Record<SystemVariableName, string>>
  /** of the flow's variables by their names: what the page says that holds the chat */
  named?: Readonly<Record<string, Json>>
  /** for tests: the place to start at instead of a trigger, variables' values, and the blocks to pause before */
  debug?: { from: (EdgeTarget & { flowId: string | null }) | null; values: Record<string, Json>; pauses: Pauses }
  /** for tests by users who may: external effects of the run are carried out, not simulated */
  carriesOut?: boolean
}

/** Values of the system variable `channel` for web conversations: where on the web the conversation takes place. */
const WEB_PLACES = { production: 'web', sharing: 'share', playground: 'playground', editor: 'playground' } as const

/** Inserts runs that have no turn yet, in a new conversation or in an existing one. */
export function createRuns(
  { db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>,
  programs: ReturnType<typeof createPrograms>,
  channels: Channels,
) {
  const traitsOf = (name: string): ChannelTraits | undefined => {
    const traits = channels.get(name)?.capabilities
    return traits && { features: traits.features, reaches: traits.reaches }
  }
  const variablesOf = async ({ projectId, versionId }: StartOptions) =>
    (await programs.variables(projectId, versionId)).get(null) ?? []
  return {
    /**
     * Inserts a conversation with its first run. If the client id exists already, returns that conversation with the
     * newest token: nobody received the older one.
     */
    async startConversation(options: StartOptions, tokenHash: Buffer | null): Promise<RunRef & { gid: string }> {
      const { known = {}, visitor, debug, named, event, opening, channel = 'web', address = null } = options
      const program = await programs.get(options.projectId, options.versionId)
      const now = clock()
      const gid = ids()
      const variables = systemValues({
        conversation_id: gid,
        channel: channel === 'web' ? WEB_PLACES[options.environment] : channel,
        current_url: event?.url,
        ...known,
      })
      const session = named
        ? setNamed(
            program,
            firstSession(program, variables, debug, traitsOf(channel)),
            named,
            await variablesOf(options),
          )
        : firstSession(program, variables, debug, traitsOf(channel))
      const conversation = {
        gid,
        project_id: options.projectId,
        chatbot_id: options.chatbotId,
        channel,
        address,
        environment: options.environment,
        token_hash: tokenHash,
        started_by: options.startedBy,
        visitor_hash: visitor?.hash ?? null,
        visit: visitor?.visit ?? null,
        contact_id: visitor?.contactId ?? null,
        language: known.language ?? null,
        ...options.pass,
        start_client_id: options.clientId,
        last_client_id: null,
        created_at: now,
        updated_at: now,
      }
      const run = {
        number: 1,
        first_seq: 1,
        flow_version_id: options.versionId,
        session,
        event,
        opening,
        pauses: debug?.pauses,
        carries_out: options.carriesOut ?? false,
        created_at: now,
      }
      const told = { gid, project_id: options.projectId, environment: options.environment }
      const context = turnContext({ ...told, started_by: options.startedBy, number: 1, turns: 0 }, now, {
        actor: 'visitor',
      })
      const events = [
        eventRow(conversationStarted, context, { ...about(told), channel }),
        eventRow(runStarted, context, { ...about(told), run: 1 }),
      ]
      return db
        .with('conversation', (one) =>
          one
            .insertInto('conversations')
            .values({ ...conversation, run_id: NEXT_RUN })
            .onConflict((conflict) =>
              conflict.columns(['chatbot_id', 'environment', 'start_client_id']).doUpdateSet({ token_hash: tokenHash }),
            )
            .returning(['id', 'project_id', 'gid', 'run_id']),
        )
        .with('run', () => insertRun(run))
        .with('told', () => insertOnce(events))
        .selectFrom('conversation')
        .select(['id', 'project_id', 'gid', sql<string>`run_id`.as('run_id')])
        .executeTakeFirstOrThrow()
    },

    /**
     * Starts another run in a conversation, whose row the caller has locked; the previous run ends where it is. System
     * variables about the visitor are kept; the flow's own variables get their initial values.
     */
    async startRun(work: Work, row: Conversation, program: Program, { versionId, event, opening }: RunOptions) {
      const known = Object.entries(row.session.variables).filter(([id]) => isKnown(id))
      const url = event?.url === undefined ? {} : systemValues({ current_url: event.url })
      await updateRun(work, row, { state: 'ended', pending: null }).execute()
      await work
        .with('conversation', (one) =>
          one
            .updateTable('conversations')
            .set({ run_id: NEXT_RUN, status: 'bot', assignee_id: null })
            .where('id', '=', row.id)
            .where('project_id', '=', row.project_id)
            .returning(['id', 'project_id', 'run_id']),
        )
        .with('run', () =>
          insertRun({
            number: row.number + 1,
            first_seq: row.last_seq + 1,
            flow_version_id: versionId,
            session: newSession(program, { ...Object.fromEntries(known), ...url }, null, row.session.channel),
            event,
            opening,
            pauses: row.pauses ?? undefined,
            carries_out: row.carries_out,
            created_at: clock(),
          }),
        )
        .selectFrom('conversation')
        .select('id')
        .executeTakeFirstOrThrow()
      const context = turnContext(row, clock())
      if (row.state !== 'ended') await appendEvent(work, runEnded, context, { ...about(row), run: row.number })
      await appendEvent(work, runStarted, context, { ...about(row), run: row.number + 1 })
    },
  }
}

const NEXT_RUN = sql<string>`nextval('runs_id_seq')`
const isKnown = (variableId: string): boolean => variableId.startsWith('sys_')

interface NewRun extends Pick<Conversation, 'number' | 'flow_version_id' | 'session' | 'carries_out'> {
  first_seq: number
  event: StartEvent | undefined
  opening: Opening | undefined
  pauses: Pauses | undefined
  created_at: Date
}

/** Inserts the run of the statement's conversation unless it exists. */
function insertRun(run: NewRun) {
  const json = (value: unknown) => sql`${value === undefined ? null : JSON.stringify(value)}::json`
  return sql<{ id: string }>`(
    insert into runs (id, conversation_id, project_id, number, first_seq, flow_version_id, state, session, start_event, opening,
        pauses, carries_out, created_at)
      select run_id, id, project_id, ${run.number}::integer, ${run.first_seq}::integer, ${run.flow_version_id}::bigint, 'running',
        ${json(run.session)}, ${json(run.event ?? { type: 'start' })}, ${json(run.opening)}, ${json(run.pauses)},
        ${run.carries_out}::boolean, ${run.created_at}::timestamptz
      from conversation where run_id is not null
    on conflict (id) do nothing returning id)`
}

/** Inserts events of the run that the statement inserted; none if the run existed already. */
const insertOnce = (events: readonly NewEvent[]) => sql<{ id: string }>`(
    insert into events (project_id, type, version, actor, user_id, correlation, payload, at)
      select project_id, type, version, actor, user_id, correlation, (payload #>> '{}')::jsonb, at
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (project_id bigint, type text, version smallint, actor text,
        user_id bigint, correlation text, payload jsonb, at timestamptz)
      where exists (select from run) returning id)`

/**
 * A session whose variables a page has set, by their names. What the flow has not, or can't keep, is passed over: the
 * page belongs to somebody else than the flow.
 */
export function setNamed(
  program: Program,
  session: Session,
  named: Readonly<Record<string, Json>>,
  variables: readonly { id: string; name: string }[],
): Session {
  return variables.reduce((before, { id, name }) => {
    const value = Object.hasOwn(named, name) ? named[name] : undefined
    return value === undefined ? before : setByHand(program, before, { [id]: value }).session
  }, session)
}

type Debug = NonNullable<StartOptions['debug']>

/**
 * The session in which a run starts. @throws ApiError invalid for a place that does not exist or values that can't be
 * stored
 */
function firstSession(
  program: Program,
  variables: Session['variables'],
  debug: Debug | undefined,
  channel: ChannelTraits | undefined,
): Session {
  const session = newSession(program, variables, debug?.from ? placeOf(program, debug.from) : null, channel)
  if (!debug) return session
  const begun = setByHand(program, session, debug.values)
  const [problem] = Object.entries(begun.problems)
  if (problem) throw fieldError(`values.${problem[0]}`, problem[1])
  return begun.session
}

/** The block that a place starts at. @throws ApiError invalid if there is none */
function placeOf(program: Program, { flowId, ...target }: NonNullable<Debug['from']>): Place {
  const first = program.flow(flowId)?.resolve(target)?.first
  if (!first) throw new ApiError('invalid', { message: 'There is no block here. Add one, or start somewhere else.' })
  return { flowId, groupId: first.groupId, blockId: first.id }
}
