import { sql } from 'kysely'
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
import { about, conversationStarted, runEnded, runStarted, turnContext } from '../events'
import type { Opening, Pauses } from '../tables'
import type { createPrograms } from './programs'
import { type Conversation, type RunRef, updateRun } from './rows'

/** What a run begins with. */
export interface RunOptions {
  versionId: string
  /** what begins it; a plain start unless said */
  event?: StartEvent
  /** what the visitor said that begins it; it answers nothing in it */
  opening?: Opening
}

export interface StartOptions extends RunOptions {
  projectId: string
  chatbotId: string
  environment: Conversation['environment']
  /** the name of its channel, and who the visitor is there; the web's visitors hold a token */
  channel?: string
  address?: string
  /** the same id starts one conversation, however often it is sent */
  clientId: string
  /** who tests; null for visitors, who get a token instead */
  startedBy: string | null
  /** the visitor's browser, and the visit, where it tells */
  visitor?: { hash: Buffer; visit: string | null } | null
  /** what is known of the visitor and his place, beside what the host knows itself */
  known?: Partial<Record<SystemVariableName, string>>
  /** for testers: where it begins instead of at a trigger, with which values, and before which blocks it pauses */
  debug?: { from: (EdgeTarget & { flowId: string | null }) | null; values: Record<string, Json>; pauses: Pauses }
  /** for testers who may: what the run changes outside is carried out, not simulated */
  carriesOut?: boolean
}

/** What the variable `channel` holds of conversations on the web: where on the web it is. */
const WEB_PLACES = { production: 'web', sharing: 'share', playground: 'playground', editor: 'playground' } as const

/** Writes runs that have no turn yet: with the conversation that they begin, or into one that is there. */
export function createRuns(
  { db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>,
  programs: ReturnType<typeof createPrograms>,
) {
  return {
    /** A conversation with its first run. Sent twice, it is the one that is there, with the newest token: nobody received the older one. */
    async startConversation(options: StartOptions, tokenHash: Buffer | null): Promise<RunRef & { gid: string }> {
      const { known = {}, visitor, debug, event, opening, channel = 'web', address = null } = options
      const program = await programs.get(options.projectId, options.versionId)
      const now = clock()
      const gid = ids()
      const variables = systemValues({
        conversation_id: gid,
        channel: channel === 'web' ? WEB_PLACES[options.environment] : channel,
        current_url: event?.url,
        ...known,
      })
      const session = firstSession(program, variables, debug)
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
        language: known.language ?? null,
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
     * Another run in a conversation, whose row the caller has locked: the one before ends where it is. What was known of the visitor it
     * knows, too; the flow's own variables are as at a start.
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
            session: newSession(program, { ...Object.fromEntries(known), ...url }),
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

/** The run that the conversation of the statement names, where it is not there yet. */
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

/** Events of the run that the statement began; none where it was there already. */
const insertOnce = (events: readonly NewEvent[]) => sql<{ id: string }>`(
    insert into events (project_id, type, version, actor, user_id, correlation, payload, at)
      select project_id, type, version, actor, user_id, correlation, (payload #>> '{}')::jsonb, at
      from jsonb_to_recordset(${JSON.stringify(events)}::jsonb) as event (project_id bigint, type text, version smallint, actor text,
        user_id bigint, correlation text, payload jsonb, at timestamptz)
      where exists (select from run) returning id)`

type Debug = NonNullable<StartOptions['debug']>

/** The state in which a run begins. @throws ApiError invalid for a place that is none, and for values that can't be kept */
function firstSession(program: Program, variables: Session['variables'], debug: Debug | undefined): Session {
  const session = newSession(program, variables, debug?.from ? placeOf(program, debug.from) : null)
  if (!debug) return session
  const begun = setByHand(program, session, debug.values)
  const [problem] = Object.entries(begun.problems)
  if (problem) throw fieldError(`values.${problem[0]}`, problem[1])
  return begun.session
}

/** The block that a place begins at. Throws invalid when there is none. */
function placeOf(program: Program, { flowId, ...target }: NonNullable<Debug['from']>): Place {
  const first = program.flow(flowId)?.resolve(target)?.first
  if (!first) throw new ApiError('invalid', { message: 'There is no block here. Add one, or start somewhere else.' })
  return { flowId, groupId: first.groupId, blockId: first.id }
}
