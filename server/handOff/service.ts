import { sql } from 'kysely'
import { z } from 'zod'
import { wordsOf } from '../../engine/flow/conversationWords'
import type { TestEffect } from '../../engine/flow/testEffects'
import { cleanText } from '../../engine/values/cleanText'
import type { Json } from '../../engine/values/json'
import { rolesOf } from '../api/roles'
import type { ServerContext } from '../context'
import { conversationOfCall } from '../host/callKey'
import type { CallContext, Service } from '../host/service'
import type { Mailer } from '../mail/createMailer'

const requestSchema = z.strictObject({ team: z.string(), note: z.string() })

/** The newest messages that go into the mail: enough to take over, little enough to read. */
const TRANSCRIPT = 50

/**
 * The service `hand-off`: tells everybody who may answer visitors that one waits, and marks the conversation. Answers
 * `{ ok: true, notified }`, or `{ ok: false, error: 'nobody-available' }` when nobody could be told. Who tests sees how many
 * would be told, and not who: that is for those who may see members.
 */
export function createHandOffService({ db, clock }: ServerContext, send: Mailer): Service {
  const effectOf = (request: Json, people: number, carriedOut: boolean): TestEffect => {
    const { team, note } = requestSchema.parse(request)
    return { type: 'hand-off', carriedOut, people, team: cleanText(team), note: cleanText(note) }
  }

  async function carryOut(request: Json, { key, writes }: CallContext): Promise<Json> {
    const { team, note } = requestSchema.parse(request)
    const conversation = await conversationOfCall(db, key)
    if (!conversation) return { ok: false, error: 'The conversation no longer exists.' }
    const { project_id } = conversation
    const people = await peopleOf(project_id)
    const transcript = await transcriptOf(project_id, conversation.id)
    const sent = await Promise.all(
      people.map(({ gid, email }) =>
        send({
          projectId: project_id,
          conversationId: conversation.id,
          key: `${key}.${gid}`,
          purpose: 'hand-off',
          fromName: '',
          to: [email],
          cc: [],
          bcc: [],
          replyTo: [],
          subject: `A visitor of ${conversation.chatbot} is waiting for a person`,
          test: writes !== 'real',
          body: { template: 'hand-off', chatbot: conversation.chatbot, team, note, transcript },
        }),
      ),
    )
    const notified = sent.filter(({ ok }) => ok).length
    if (notified === 0) return { ok: false, error: 'nobody-available' }
    await db
      .updateTable('conversations')
      .set({ handed_over_at: clock(), hand_off_team: cleanText(team), hand_off_note: cleanText(note) })
      .where('id', '=', conversation.id)
      .where('project_id', '=', project_id)
      .execute()
    return { ok: true, notified, ...(writes === 'marked' && { testEffects: [effectOf(request, notified, true)] }) }
  }

  async function simulate(request: Json, { key }: CallContext): Promise<Json> {
    const conversation = await conversationOfCall(db, key)
    if (!conversation) return { ok: false, error: 'The conversation no longer exists.' }
    const { length } = await peopleOf(conversation.project_id)
    if (length === 0) return { ok: false, error: 'nobody-available' }
    return { ok: true, notified: length, testEffects: [effectOf(request, length, false)] }
  }

  return { carryOut, simulate }

  /** The members who may reply to visitors. */
  function peopleOf(projectId: string) {
    const roles = rolesOf('conversations.reply')
    return db
      .selectFrom('project_members')
      .innerJoin('users', 'users.id', 'project_members.user_id')
      .select(['users.gid', 'users.email'])
      .where('project_members.project_id', '=', projectId)
      .where(sql<boolean>`project_members.roles && ${roles}::int[]`)
      .orderBy('users.id')
      .execute()
  }

  async function transcriptOf(projectId: string, conversationId: string) {
    const rows = await db
      .selectFrom('messages')
      .select(['author', 'content'])
      .where('conversation_id', '=', conversationId)
      .where('project_id', '=', projectId)
      .orderBy('seq', 'desc')
      .limit(TRANSCRIPT)
      .execute()
    return rows.reverse().map(({ author, content }) => ({
      who: author === 2 ? ('Visitor' as const) : ('Bot' as const),
      text: wordsOf(content),
    }))
  }
}
