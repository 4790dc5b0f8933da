import { sql } from 'kysely'
import { contactsEffect } from '../../../engine/effects/contacts'
import type { TestEffect } from '../../../engine/flow/testEffects'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import type { CallContext } from '../../platform/effects/callContext'
import { CONVERSATION_GONE, handleEffect } from '../../platform/effects/handleEffect'
import { type ContactOutcome, type ContactResult, carryOutContact } from './contactStore'
import { type ContactRequest, readContactCall } from './request'
import { simulatedStore } from './simulatedStore'
import { tableStore } from './tableStore'

type ContactContext = Pick<CallContext, 'project' | 'chatbot' | 'conversation' | 'run' | 'idempotencyKey' | 'writes'>

/**
 * Handles `contacts`: creates, finds, updates and deletes a project's contacts. The same key is executed once: its
 * result is stored with the change, in one transaction. Nothing is changed for a deleted conversation. A simulated call
 * sees the test's earlier simulated changes.
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
        // serializes calls about one person, including repetitions of a call
        const lock = `${project.id} ${request.key.field} ${request.key.value.toLowerCase()}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(work)
        const known = await work
          .selectFrom('contact_calls')
          .select('result')
          .where('project_id', '=', project.id)
          .where('key', '=', key)
          .executeTakeFirst()
        if (known) return known.result as ContactResult
        // contacts have no foreign key to the conversation that would fail
        const from = await work
          .selectFrom('conversations')
          .select('contact_id')
          .where('id', '=', conversation.id)
          .where('project_id', '=', project.id)
          .executeTakeFirst()
        if (!from) return CONVERSATION_GONE
        const place = { project_id: project.id, chatbot_id: chatbot.id, contact_id: from.contact_id }
        const outcome = await carryOutContact(tableStore(work, place, { clock, ids, isTest, key }), request)
        const { contact } = outcome.result
        if (!isTest && outcome.result.ok && contact && outcome.change !== 'delete')
          await linkConversation(work, conversation.id, contact.id)
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

/** A conversation is of the contact that its flow found or made; one of a person whom the site knows stays theirs. */
const linkConversation = (work: ProjectWork, conversationId: string, contact: string) =>
  sql`update conversations set contact_id = contacts.id from contacts
    where conversations.id = ${conversationId} and contacts.gid = ${contact}
      and contacts.project_id = conversations.project_id and conversations.contact_id is distinct from contacts.id
      and not exists (select from contacts verified where verified.id = conversations.contact_id
        and verified.project_id = conversations.project_id and verified.verified_id is not null)`.execute(work)

function withEffect({ result, change }: ContactOutcome, request: ContactRequest, carriedOut: boolean) {
  if (change === null) return result
  const { key, fields, custom } = request
  const set = change === 'delete' ? {} : { ...fields, ...custom }
  const effect: TestEffect = { type: 'contact', carriedOut, action: change, key, fields: set }
  return { ...result, testEffects: [effect] }
}

const failed = (error: string): ContactResult => ({ ok: false, error })
