import { sql } from 'kysely'
import { contactsEffect } from '../../../engine/effects/contacts'
import type { TestEffect } from '../../../engine/flow/testEffects'
import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { CONVERSATION_GONE, handleEffect } from '../../platform/effects/handleEffect'
import { type ContactOutcome, type ContactResult, carryOutContact } from './contactStore'
import { type ContactRequest, readContactCall } from './request'
import { simulatedStore } from './simulatedStore'
import { tableStore } from './tableStore'

type ContactContext = Pick<CallContext, 'project' | 'chatbot' | 'conversation' | 'run' | 'idempotencyKey' | 'writes'>

/**
 * Handles `contacts`: makes, finds, changes and deletes the people that a project knows. The same key is carried out
 * once: its answer is kept with the change, in one transaction. For a conversation that is deleted nothing is changed.
 * A simulated call finds what the test would have made.
 */
export function createContactsHandler({ db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>) {
  return handleEffect(contactsEffect).by({
    async carryOut(call, { project, chatbot, conversation, idempotencyKey: key, writes }: ContactContext) {
      const read = readContactCall(call)
      if ('problem' in read) return failed(read.problem)
      const { request } = read
      const isTest = writes !== 'real'
      const own = db.forProject(project.id)
      return own.transaction().execute(async (work) => {
        // two calls about one person wait for each other; so do two of the same key, which are about the same person
        const lock = `${project.id} ${request.key.field} ${request.key.value.toLowerCase()}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(work)
        const known = await work
          .selectFrom('contact_calls')
          .select('result')
          .where('project_id', '=', project.id)
          .where('key', '=', key)
          .executeTakeFirst()
        if (known) return known.result as ContactResult
        // a contact has no reference to it that would fail
        const from = await work
          .selectFrom('conversations')
          .select('id')
          .where('id', '=', conversation.id)
          .where('project_id', '=', project.id)
          .executeTakeFirst()
        if (!from) return CONVERSATION_GONE
        const place = { project_id: project.id, chatbot_id: chatbot.id }
        const outcome = await carryOutContact(tableStore(work, place, { clock, ids, isTest, key }), request)
        const result = isTest ? withEffect(outcome, request, true) : outcome.result
        await work
          .insertInto('contact_calls')
          .values({ project_id: project.id, key, result: JSON.stringify(result), created_at: clock() })
          .execute()
        return result
      })
    },

    async simulate(call, { project, run }) {
      const read = readContactCall(call)
      if ('problem' in read) return failed(read.problem)
      const own = db.forProject(project.id)
      const store = await simulatedStore({ db: own, ids }, { run_id: run.id, project_id: project.id })
      return withEffect(await carryOutContact(store, read.request), read.request, false)
    },
  })
}

function withEffect({ result, change }: ContactOutcome, request: ContactRequest, carriedOut: boolean) {
  if (change === null) return result
  const { key, fields, custom } = request
  const set = change === 'delete' ? {} : { ...fields, ...custom }
  const effect: TestEffect = { type: 'contact', carriedOut, action: change, key, fields: set }
  return { ...result, testEffects: [effect] }
}

const failed = (error: string): ContactResult => ({ ok: false, error })
