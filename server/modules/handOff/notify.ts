import { languageIn } from '../../access/languageOf'
import type { Config } from '../../platform/config/config'
import type { Db } from '../../platform/database/database'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import type { Mailer } from '../mails/createMailer'
import type { Person } from './people'
import type { Story } from './story'

/** The notification about a conversation. */
export interface Notice {
  conversation: { id: string; gid: string; project_id: string }
  /** the same key gives the same mails */
  key: string
  people: readonly Person[]
  team: string
  note: string
  /** where the visitor is answered; null: no address is known */
  email: string | null
  story: Story
  /** false: what the visitor has added since */
  isFirst: boolean
  test: boolean
}

/**
 * Mails each person; replies to the mail go to the visitor. @returns how many were notified, and whether by mail or
 * only in the outbox
 */
export async function notify(
  { db, config, send }: { db: Db; config: Pick<Config, 'publicUrl'>; send: Mailer },
  { conversation, key, people, team, note, email, story, isFirst, test }: Notice,
): Promise<{ notified: number; delivery: 'mail' | 'kept' }> {
  const { id, project_id: projectId } = conversation
  const { chatbot, link } = await placeOf(db, config, conversation)
  const { messages, cut, question } = story
  const sent = await Promise.all(
    people.map(async (person) => {
      const language = await languageIn(db, projectId, person.email)
      return send({
        projectId,
        conversationId: id,
        key: `${key}.${person.id}`,
        purpose: 'hand-off',
        charged: person.isOutside,
        fromName: '',
        to: [person.email],
        cc: [],
        bcc: [],
        replyTo: email === null ? [] : [email],
        subject: (isFirst ? '' : 'Re: ') + mailTexts(language).handOff.needed(chatbot),
        test,
        body: { template: 'hand-off', language, chatbot, team, note, email, question, messages, cut, link, isFirst },
      })
    }),
  )
  const told = sent.filter((one) => one.ok)
  return { notified: told.length, delivery: told.some(({ status }) => status === 'sent') ? 'mail' : 'kept' }
}

/** The chatbot's name, and a link to the conversation for members who may see it. */
async function placeOf(
  db: Db,
  { publicUrl }: Pick<Config, 'publicUrl'>,
  { id, gid, project_id }: Notice['conversation'],
): Promise<{ chatbot: string; link: string }> {
  const place = await db
    .selectFrom('conversations')
    .innerJoin('chatbots', (join) =>
      join
        .onRef('chatbots.id', '=', 'conversations.chatbot_id')
        .onRef('chatbots.project_id', '=', 'conversations.project_id'),
    )
    .innerJoin('projects', 'projects.id', 'conversations.project_id')
    .select(['chatbots.gid as cgid', 'chatbots.name as chatbot', 'projects.gid as pgid'])
    .where('conversations.id', '=', id)
    .where('conversations.project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  const { chatbot, cgid, pgid } = place
  return { chatbot, link: `${publicUrl}/projects/${pgid}/chatbots/${cgid}/conversations/${gid}` }
}
