import type { Program } from '../../../../engine/run/program'
import { setByHand } from '../../../../engine/run/setByHand'
import type { Json } from '../../../../engine/values/json'
import type { Db, Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { GatePlace } from '../../../platform/http/admission'
import type { ConversationRef } from '../conversations/conversationRef'
import { appendMessages } from '../messages/appendMessages'
import type { Pauses } from '../tables'
import { type Conversation, eventsAfter, statusAfter, updateRun } from './rows'
import { saveTurn } from './saveTurn'
import type { Timers } from './timers'
import type { createTurns } from './turns'
import { isHeld } from './turnTasks'

interface Parts {
  db: Db
  clock: () => Date
  turns: ReturnType<typeof createTurns>
  timers: Timers
}

/** Debugger operations on test conversations. Each is a transaction between two turns. */
export function createDebugging({ db, clock, turns, timers }: Parts) {
  async function setIn(work: Work, row: Conversation, program: Program, values: Readonly<Record<string, Json>>) {
    const last = await work
      .selectFrom('turn_records')
      .select('variables')
      .where('run_id', '=', row.run_id)
      .where('project_id', '=', row.project_id)
      .where('turn', '=', row.turns - 1)
      .executeTakeFirst()
    const { session, problems } = setByHand(program, row.session, values)
    if (Object.keys(problems).length > 0) throw new ApiError('invalid', { fields: fieldsOf(problems) })
    const set = Object.fromEntries(Object.keys(values).map((id) => [id, session.variables[id] ?? null]))
    const variables = { ...last?.variables, ...set }
    const received = { reply: null, variables: null, answers: [], set }
    const edit = { session, messages: [], trace: [], variables, stopped: null }
    await timers.set(work, row, session.request)
    return saveTurn(work, row, { ...edit, visitor: null, received, took: null, path: null, at: clock() })
  }

  return {
    /** Sets the blocks before which turns pause from now on. */
    async pauseAt(ref: ConversationRef, { step, at }: Pauses): Promise<void> {
      const pauses = step || at.length > 0 ? JSON.stringify({ step, at }) : null
      await db
        .updateTable('runs')
        .set({ pauses })
        .where('project_id', '=', ref.project_id)
        .where('id', '=', ({ selectFrom }) =>
          selectFrom('conversations')
            .select('run_id')
            .where('id', '=', ref.id)
            .where('project_id', '=', ref.project_id),
        )
        .execute()
    },

    /**
     * Sets whether external effects of the test are carried out from now on. A turn in progress, or interrupted by a
     * crash, ends with the setting it started with.
     */
    setCarriesOut: (ref: ConversationRef, carriesOut: boolean): Promise<unknown> =>
      turns.between(ref, async (work, row) => {
        await updateRun(work, row, { carries_out: carriesOut }).execute()
        return 'done'
      }),

    /** Continues from the pause after the turn with that number; does nothing if it was continued already. */
    resume: (ref: ConversationRef, turn: number, place?: GatePlace): Promise<unknown> =>
      turns.between(
        ref,
        async (work, row, program) =>
          row.session.status === 'paused' && row.turns === turn + 1 ? turns.goOn(work, row, program) : 'done',
        place,
      ),

    /**
     * Sets variables of the flow that the conversation is in, as a turn of its own.
     * @throws ApiError invalid for a value that can't be stored, conflict when the conversation has ended
     */
    setVariables: (ref: ConversationRef, values: Readonly<Record<string, Json>>): Promise<unknown> =>
      turns.between(ref, async (work, row, program) => {
        if (row.state === 'ended') throw new ApiError('conflict', { message: 'The conversation has ended.' })
        return setIn(work, row, program, values)
      }),

    /**
     * Sets those of the variables that the flow which the conversation is in has. What a person has, or is over, is
     * left as it is.
     */
    setKnown: (ref: ConversationRef, values: Readonly<Record<string, Json>>): Promise<unknown> =>
      turns.between(ref, async (work, row, program) => {
        if (row.state === 'ended' || isHeld(row)) return 'done'
        const present = program.flow(row.session.flowId)?.variables ?? {}
        const known = Object.fromEntries(Object.entries(values).filter(([id]) => Object.hasOwn(present, id)))
        return Object.keys(known).length === 0 ? 'done' : setIn(work, row, program, known)
      }),

    /** Ends the conversation where it is. */
    stop: (ref: ConversationRef): Promise<unknown> =>
      turns.between(ref, async (work, row) => {
        if (row.state === 'ended') return 'done'
        const session = { ...row.session, status: 'ended' as const, at: null, request: null, listen: null, frames: [] }
        await updateRun(work, row, { state: 'ended', session: JSON.stringify(session) }).execute()
        await appendMessages(work, row, [], clock(), {
          status: 'closed',
          events: eventsAfter(row, session, { actor: 'bot' }, clock()),
        })
        return 'done'
      }),

    /**
     * Resets the conversation to its state after a turn. Later turns are deleted; their effects are not repeated.
     * @throws ApiError not_found when there is no such turn
     */
    goBack: (ref: ConversationRef, turn: number): Promise<unknown> =>
      turns.between(ref, async (work, row) => {
        const record = await work
          .selectFrom('turn_records')
          .select(['session', 'last_seq'])
          .where('run_id', '=', row.run_id)
          .where('project_id', '=', row.project_id)
          .where('turn', '=', turn)
          .executeTakeFirst()
        if (!record?.session || record.last_seq === null) throw new ApiError('not_found')
        // A number that no block of the later turns had: a call made from now on is a different one, with its own key.
        const session = { ...record.session, entries: row.session.entries + 1 }
        for (const table of ['turn_records', 'effects', 'sent_files'] as const) {
          await work
            .deleteFrom(table)
            .where('run_id', '=', row.run_id)
            .where('project_id', '=', row.project_id)
            .where('turn', '>', turn)
            .execute()
        }
        await work
          .deleteFrom('messages')
          .where('conversation_id', '=', row.id)
          .where('project_id', '=', row.project_id)
          .where('seq', '>', record.last_seq)
          .execute()
        await updateRun(work, row, {
          state: session.status === 'ended' ? 'ended' : 'waiting',
          session: JSON.stringify(session),
          turns: turn + 1,
        }).execute()
        await work
          .updateTable('conversations')
          .set({
            status: statusAfter(session),
            last_seq: record.last_seq,
            last_client_id: null,
            updated_at: clock(),
          })
          .where('id', '=', row.id)
          .where('project_id', '=', row.project_id)
          .execute()
        await timers.clear(work, row)
        await timers.set(work, { ...row, turns: turn }, session.request)
        return 'done'
      }),
  }
}

const fieldsOf = (problems: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(problems).map(([id, problem]) => [`values.${id}`, problem]))
