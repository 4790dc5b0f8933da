import { handOffCallSchema } from '../../../engine/flow/handOver'
import type { TestEffect } from '../../../engine/flow/testEffects'
import { cleanText } from '../../../engine/values/cleanText'
import type { Json } from '../../../engine/values/json'
import { parseEmail } from '../../../engine/values/rules'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { conversationOfCall } from '../../platform/effects/callKey'
import type { CallContext, Service } from '../../platform/effects/service'
import type { Mailer } from '../mails/createMailer'
import { scheduleAdded } from './added'
import { notify } from './notify'
import { peopleOf } from './people'
import { readStory } from './story'
import { visitorsAddress } from './visitorsAddress'

const GONE = { ok: false, error: 'The conversation no longer exists.' }
const NOBODY = { ok: false, error: 'nobody-available' }
const WANTED = { ok: false, error: 'address-wanted' }

/**
 * The service `hand-off`: mails people the conversation, with where the visitor is answered, and later what the visitor adds. Answers
 * `{ ok: true, delivery, email, notified }`; `address-wanted` where the visitor is to be asked for one first; `nobody-available` when
 * nobody could be told. Who tests sees how many would be told, and not who: that is for those who may see members.
 */
export function createHandOffService(context: ServerContext, send: Mailer): Service {
  const { clock, config } = context

  /** What is asked, of which conversation, and of whom; or why that can't be. */
  async function read(request: Json, key: string) {
    const call = handOffCallSchema.parse(request)
    const conversation = await conversationOfCall(context, key)
    if (!conversation) return { kind: 'refused' as const, answer: GONE }
    if ('action' in call) return { kind: 'added' as const, conversation }
    const people = await peopleOf(conversation.db, conversation.project_id, call.to)
    if (people.length === 0) return { kind: 'refused' as const, answer: NOBODY }
    const email = parseEmail(call.email) ?? (await visitorsAddress(conversation.db, conversation, call.candidates))
    if (email === null && !call.asked) return { kind: 'refused' as const, answer: WANTED }
    const { team, note, to } = call
    return { kind: 'hand-off' as const, conversation, people, email, team: cleanText(team), note: cleanText(note), to }
  }

  async function carryOut(request: Json, { key, writes }: CallContext): Promise<Json> {
    const wanted = await read(request, key)
    if (wanted.kind === 'refused') return wanted.answer
    const { conversation } = wanted
    const { db } = conversation
    if (wanted.kind === 'added') {
      await scheduleAdded({ ...context, db }, conversation)
      return writes === 'marked' ? { ok: true, testEffects: await addedEffects(conversation, true) } : { ok: true }
    }
    const { people, email, team, note, to } = wanted
    const test = writes !== 'real'
    const story = await readStory(db, { conversationId: conversation.id, projectId: conversation.project_id })
    const { notified, delivery } = await notify(
      { db, config, send },
      { conversation, key, people, team, note, email, story, isFirst: true, test },
    )
    if (notified === 0) return NOBODY
    const values = { handed_over_at: clock(), team, note, addresses: JSON.stringify(to), email, test }
    await db
      .insertInto('hand_offs')
      .values({
        ...values,
        conversation_id: conversation.id,
        project_id: conversation.project_id,
        mailed_seq: story.last,
      })
      .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet({ ...values, mailed_seq: story.last }))
      .execute()
    const effect: TestEffect = effectOf({ people: notified, team, note, email }, true)
    return { ok: true, delivery, email, notified, ...(writes === 'marked' && { testEffects: [effect] }) }
  }

  async function simulate(request: Json, { key }: CallContext): Promise<Json> {
    const wanted = await read(request, key)
    if (wanted.kind === 'refused') return wanted.answer
    if (wanted.kind === 'added') return { ok: true, testEffects: await addedEffects(wanted.conversation, false) }
    const { people, email, team, note } = wanted
    const effect: TestEffect = effectOf({ people: people.length, team, note, email }, false)
    const delivery = config.smtpUrl === null ? 'kept' : 'mail'
    return { ok: true, delivery, email, notified: people.length, testEffects: [effect] }
  }

  /** In a test: how many are told of what was added. */
  async function addedEffects({ id, project_id, db }: { id: string; project_id: string; db: Db }, carriedOut: boolean) {
    const row = await db
      .selectFrom('hand_offs')
      .select('addresses')
      .where('conversation_id', '=', id)
      .where('project_id', '=', project_id)
      .executeTakeFirst()
    const { length } = await peopleOf(db, project_id, row?.addresses ?? [])
    const effect = effectOf({ people: length, team: '', note: '', email: null }, carriedOut)
    return [{ ...effect, added: true as const }]
  }

  return { carryOut, simulate }
}

const effectOf = (
  { people, team, note, email }: { people: number; team: string; note: string; email: string | null },
  carriedOut: boolean,
) => ({ type: 'hand-off' as const, carriedOut, people, team, note, ...(email !== null && { email }) })
