import type { ParsedRequestOf } from '../../../engine/effects/defineEffect'
import { handOffEffect } from '../../../engine/effects/handOff'
import type { TestEffect } from '../../../engine/flow/testEffects'
import { cleanText } from '../../../engine/values/cleanText'
import { parseEmail } from '../../../engine/values/rules'
import { sendsMails } from '../../platform/config/mailSettings'
import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { type EffectHandler, handleEffect } from '../../platform/effects/handleEffect'
import type { Mailer } from '../mails/createMailer'
import { scheduleAdded } from './added'
import { keepContact } from './keepVisitor'
import { notify } from './notify'
import { isAnyoneOn } from './office'
import { peopleOf } from './people'
import { readStory } from './story'
import { visitorsAddress } from './visitorsAddress'

const NOBODY = { ok: false, error: 'nobody-available' } as const
const WANTED = { ok: false, error: 'address-wanted' } as const

export type HandOffContext = Pick<CallContext, 'project' | 'conversation' | 'run' | 'idempotencyKey' | 'writes'>
export type HandOffHandler = EffectHandler<HandOffContext>

type Asked = Exclude<ParsedRequestOf<typeof handOffEffect>, { action: 'added' }>

/**
 * Handles `hand-off`: mails the conversation to people, with the visitor's address, and later what the visitor adds.
 * Testers see how many people would be notified, but not who: that needs the right to see members.
 */
export function createHandOffHandler(context: ServerContext, send: Mailer): HandOffHandler {
  const { clock, config } = context

  /** The people and the notice; or why that is impossible. */
  async function read({ to, team, note, ...asked }: Asked, { project, run }: HandOffContext) {
    const db = context.db.forProject(project.id)
    const people = await peopleOf(db, project.id, to)
    if (people.length === 0) return NOBODY
    if (!(await isAnyoneOn(db, project.id, { team, to, now: clock() }))) return NOBODY
    const email = parseEmail(asked.email) ?? (await visitorsAddress(db, versionOf(project, run), asked.candidates))
    if (email === null && !asked.asked) return WANTED
    return { people, email, team: cleanText(team), note: cleanText(note), to }
  }

  return handleEffect(handOffEffect).by({
    async carryOut(call, called: HandOffContext) {
      const { project, conversation, idempotencyKey: key, writes } = called
      const db = context.db.forProject(project.id)
      if ('action' in call) {
        await scheduleAdded({ ...context, db }, { ...conversation, project_id: project.id })
        return writes === 'marked' ? { ok: true, testEffects: await addedEffects(called, true) } : { ok: true }
      }
      const wanted = await read(call, called)
      if ('error' in wanted) return wanted
      const { people, email, team, note, to } = wanted
      const test = writes !== 'real'
      const story = await readStory(db, { conversationId: conversation.id, projectId: project.id })
      const { notified, delivery } = await notify(
        { db, config, send },
        {
          conversation: { ...conversation, project_id: project.id },
          key,
          people,
          team,
          note,
          email,
          story,
          isFirst: true,
          test,
        },
      )
      if (notified === 0) return NOBODY
      const values = { handed_over_at: clock(), team, note, addresses: JSON.stringify(to), email, test }
      await db
        .insertInto('hand_offs')
        .values({
          ...values,
          conversation_id: conversation.id,
          project_id: project.id,
          mailed_seq: story.last,
        })
        .onConflict((conflict) => conflict.column('conversation_id').doUpdateSet({ ...values, mailed_seq: story.last }))
        .execute()
      if (email !== null && !test) await keep(called, email)
      const effect: TestEffect = effectOf({ people: notified, team, note, email }, true)
      return { ok: true, delivery, email, notified, ...(writes === 'marked' && { testEffects: [effect] }) }
    },

    async simulate(call, called) {
      if ('action' in call) return { ok: true, testEffects: await addedEffects(called, false) }
      const wanted = await read(call, called)
      if ('error' in wanted) return wanted
      const { people, email, team, note } = wanted
      const effect: TestEffect = effectOf({ people: people.length, team, note, email }, false)
      const delivery = sendsMails(config) ? 'mail' : 'kept'
      return { ok: true, delivery, email, notified: people.length, testEffects: [effect] }
    },
  })

  /** Done again after a crash, it finds the contact that it has made. */
  async function keep({ project, conversation, idempotencyKey: key }: HandOffContext, email: string): Promise<void> {
    const { id } = conversation
    await context.db
      .forProject(project.id)
      .transaction()
      .execute(async (work) => {
        const { chatbot_id, contact_id } = await work
          .selectFrom('conversations')
          .select(['chatbot_id', 'contact_id'])
          .where('id', '=', id)
          .where('project_id', '=', project.id)
          .executeTakeFirstOrThrow()
        await keepContact(work, context, { project_id: project.id, chatbot_id, contact_id, email, name: null, key })
      })
  }

  /** In a test: how many people are notified of additions. */
  async function addedEffects({ project, conversation }: HandOffContext, carriedOut: boolean) {
    const db = context.db.forProject(project.id)
    const row = await db
      .selectFrom('hand_offs')
      .select('addresses')
      .where('conversation_id', '=', conversation.id)
      .where('project_id', '=', project.id)
      .executeTakeFirst()
    const { length } = await peopleOf(db, project.id, row?.addresses ?? [])
    const effect = effectOf({ people: length, team: '', note: '', email: null }, carriedOut)
    return [{ ...effect, added: true as const }]
  }
}

const versionOf = (project: CallContext['project'], run: CallContext['run']) => ({
  project_id: project.id,
  flow_version_id: run.versionId,
})

const effectOf = (
  { people, team, note, email }: { people: number; team: string; note: string; email: string | null },
  carriedOut: boolean,
) => ({ type: 'hand-off' as const, carriedOut, people, team, note, ...(email !== null && { email }) })
