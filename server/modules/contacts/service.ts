import { sql } from 'kysely'
import type { TestEffect } from '../../../engine/flow/testEffects'
import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import type { ServerContext } from '../../platform/context'
import { conversationOfCall } from '../../platform/effects/callKey'
import type { CallContext, Service } from '../../platform/effects/service'
import { type ContactOutcome, carryOutContact } from './contactStore'
import { type ContactRequest, contactRequestSchema } from './request'
import { simulatedStore } from './simulatedStore'
import { tableStore } from './tableStore'

/**
 * The service `contacts`: makes, finds, changes and deletes the people that a project knows. Answers `{ ok: true, contact }`, or
 * `{ ok: false, error }` where the error is `not-found`, `duplicate` (with the contact that is there), or a sentence. The same key is
 * carried out once: its answer is kept with the change, in one transaction. A simulated call finds what the test would have made.
 */
export function createContactService(context: ServerContext) {
  const { clock, ids } = context

  async function read(input: Json, key: string) {
    const parsed = contactRequestSchema.safeParse(input)
    if (!parsed.success) return { problem: firstProblem(parsed.error.issues) }
    const place = await conversationOfCall(context, key)
    return place ? { request: parsed.data, place } : { problem: 'The conversation no longer exists.' }
  }

  return {
    async carryOut(input: Json, { key, writes }: Pick<CallContext, 'key' | 'writes'>) {
      const { request, place, problem } = await read(input, key)
      if (!request) return failed(problem)
      const isTest = writes !== 'real'
      return place.db.transaction().execute(async (work) => {
        // two calls about one person wait for each other; so do two of the same key, which are about the same person
        const lock = `${place.project_id} ${request.key.field} ${request.key.value.toLowerCase()}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(work)
        const known = await work
          .selectFrom('contact_calls')
          .select('result')
          .where('project_id', '=', place.project_id)
          .where('key', '=', key)
          .executeTakeFirst()
        if (known) return known.result
        const outcome = await carryOutContact(tableStore(work, place, { clock, ids, isTest, key }), request)
        const result = isTest ? withEffect(outcome, request, true) : outcome.result
        await work
          .insertInto('contact_calls')
          .values({ project_id: place.project_id, key, result: JSON.stringify(result), created_at: clock() })
          .execute()
        return result
      })
    },

    async simulate(input: Json, { key }: Pick<CallContext, 'key'>) {
      const { request, place, problem } = await read(input, key)
      if (!request) return failed(problem)
      const outcome = await carryOutContact(await simulatedStore({ db: place.db, ids }, place), request)
      return withEffect(outcome, request, false)
    },
  } satisfies Service
}

function withEffect({ result, change }: ContactOutcome, request: ContactRequest, carriedOut: boolean): Json {
  if (change === null) return result
  const { key, fields, custom } = request
  const set = change === 'delete' ? {} : { ...fields, ...custom }
  const effect: TestEffect = { type: 'contact', carriedOut, action: change, key, fields: set }
  return { ...result, testEffects: [effect] }
}

const failed = (error: string): Json => ({ ok: false, error })
