import { sql } from 'kysely'
import { languageOf } from '../../access/languageOf'
import { ownersOf } from '../../access/owners'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import type { HandledJob } from '../../platform/jobs/defineJob'
import { mailTexts } from '../../platform/mail/texts/mailTexts'
import type { Mailer } from '../mails/createMailer'
import { entriesOf, kindsFor, presentEntry } from './entries'
import { mailNotice, mailNotifications } from './jobs'
import { SETTLE } from './times'
import { linkOf, sentenceOf } from './words'

const LINES = 20

type Context = Pick<ServerContext, 'db' | 'clock' | 'config' | 'log'>

/** The job that mails a member what is due and not seen yet. The ids in its key make it one mail, run twice. */
export const mailToMember = (context: Context, send: Mailer): HandledJob =>
  mailNotifications.handledBy(async ({ user: userId }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const member = await db
      .selectFrom('project_members')
      .innerJoin('users', 'users.id', 'project_members.user_id')
      .innerJoin('projects', 'projects.id', 'project_members.project_id')
      .select(['users.email', 'roles', 'projects.gid', 'projects.name'])
      .where('project_members.user_id', '=', userId)
      .executeTakeFirst()
    if (!member) return undefined
    const of = { projectId, userId, kinds: kindsFor(member.roles) }
    // what became due within the time that things settle goes along: a busy minute is one mail
    const until = new Date(context.clock().getTime() + SETTLE)
    const rows = await entriesOf(db, of)
      .where('notifications.mail_at', '<=', until)
      .where('notifications.seen_at', 'is', null)
      .clearLimit()
      .limit(1_000)
      .execute()
    const entries = rows.map(presentEntry)
    const [newest] = entries
    if (newest) {
      const home = `${context.config.publicUrl}/projects/${member.gid}`
      const language = await languageOf(db, member.email)
      const title =
        entries.length === 1
          ? sentenceOf(newest, language)
          : mailTexts(language).notifications.several(entries.length, member.name)
      const sent = await send({
        projectId,
        conversationId: null,
        key: `notifications.${userId}.${newest.id}`,
        purpose: 'notification',
        fromName: '',
        to: [member.email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: title,
        body: {
          ...{ template: 'notifications', language, title },
          lines: entries.slice(0, LINES).map((entry) => ({
            text: sentenceOf(entry, language),
            where: entry.chatbot?.name ?? '',
            link: linkOf(home, entry),
          })),
          more: Math.max(0, entries.length - LINES),
          link: home,
          settings: `${home}/notification-settings`,
        },
      })
      if (!sent.ok) context.log.warn({ projectId, error: sent.error }, 'a mail of notifications could not be sent')
    }
    await db
      .updateTable('notifications')
      .set({ mail_at: null })
      .where('project_id', '=', projectId)
      .where('user_id', '=', userId)
      .where('mail_at', '<=', until)
      .$if(newest !== undefined, (query) => query.where('id', '<=', newest?.id ?? '0'))
      .execute()
    return undefined
  })

/** The job that mails the project's addresses of a new contact or conversation, where its settings say so. */
export const mailToAddresses = (context: Context, send: Mailer): HandledJob =>
  mailNotice.handledBy(async ({ about, row, cause }, { projectId }) => {
    if (projectId === null) return undefined
    const db = context.db.forProject(projectId)
    const project = await db
      .selectFrom('projects')
      .select([
        'gid',
        'name',
        about === 'new_contact' ? 'new_contact_notices as enabled' : 'new_conversation_notices as enabled',
        about === 'new_contact' ? 'new_contact_emails as emails' : 'new_conversation_emails as emails',
      ])
      .where('id', '=', projectId)
      .executeTakeFirst()
    if (!project?.enabled) return undefined
    const found = await subjectOf(db, about, row)
    if (!found) return undefined
    const home = `${context.config.publicUrl}/projects/${project.gid}`
    const entry = { kind: about, by: null, who: found.who, conversation: found.conversation, chatbot: found.chatbot }
    const emails = project.emails.length > 0 ? project.emails : await ownersOf(db, projectId)
    for (const email of emails) {
      const language = await languageOf(db, email)
      const title = sentenceOf(entry, language)
      const sent = await send({
        projectId,
        conversationId: null,
        key: `${about}.${cause}.${email.toLowerCase()}`,
        purpose: 'notification',
        fromName: '',
        to: [email],
        cc: [],
        bcc: [],
        replyTo: [],
        subject: `${project.name}: ${title}`,
        body: {
          ...{ template: 'notifications', language, title },
          lines: [{ text: title, where: found.chatbot?.name ?? '', link: linkOf(home, entry) }],
          more: 0,
          link: home,
          settings: null,
        },
      })
      if (!sent.ok) context.log.warn({ projectId, error: sent.error }, 'a mail of a new row could not be sent')
    }
    return undefined
  })

async function subjectOf(db: ProjectDb, about: 'new_contact' | 'new_conversation', id: string) {
  const row =
    about === 'new_contact'
      ? await db
          .selectFrom('contacts')
          .leftJoin('chatbots', 'chatbots.id', 'contacts.chatbot_id')
          .select(['contacts.name', 'email', 'phone', 'user_id', 'chatbots.gid as cgid', 'chatbots.name as chatbot'])
          .select(sql<string | null>`null`.as('conversation'))
          .where('contacts.id', '=', id)
          .executeTakeFirst()
      : await db
          .selectFrom('conversations')
          .innerJoin('chatbots', 'chatbots.id', 'conversations.chatbot_id')
          .leftJoin('contacts', 'contacts.id', 'conversations.contact_id')
          .select(['contacts.name', 'email', 'phone', 'user_id', 'chatbots.gid as cgid', 'chatbots.name as chatbot'])
          .select('conversations.gid as conversation')
          .where('conversations.id', '=', id)
          .executeTakeFirst()
  if (!row) return null
  return {
    who: row.name ?? row.email ?? row.phone ?? row.user_id,
    chatbot: row.cgid === null ? null : { gid: row.cgid, name: row.chatbot ?? '' },
    conversation: row.conversation,
  }
}
