import { createHash } from 'node:crypto'
import type { SentFile } from '../../../../engine/flow/conversation'
import { hashToken } from '../../../access/tokens'
import type { InboundMail } from '../../../contracts/mailInbox'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import type { RunTask } from '../../../platform/workers/createThreads'
import { runTask } from '../../../platform/workers/runTask'
import { TaskError } from '../../../platform/workers/taskError'
import { answerAsVisitor } from '../channels/receive'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Runtime } from '../runtime/createRuntime'
import type { SentFiles } from '../runtime/sentFiles'
import type { InboundSource } from './readMailSource'
import { readMailSource } from './tasks'

type Status = InboundMail['status']
/** What becomes of a mail: a message of a conversation, or why not. */
type Outcome = { status: 'accepted'; ref: ConversationRef } | { status: 'refused' | 'ignored'; reason: string }

export interface InboundParts {
  runtime: Pick<Runtime, 'read' | 'reply' | 'people'>
  files: Pick<SentFiles, 'add'>
  run?: RunTask
}

/**
 * Takes a mail that came in for a project: a reply to an answer by mail becomes the visitor's message. Each mail counts
 * once, by its Message-ID, however often it comes. Others are noted with the reason, for members to see.
 * @param source null: too large to be read
 */
export function createReceiveMail(context: ServerContext, { runtime, files, run = runTask }: InboundParts) {
  const { clock, ids, config } = context

  return async (projectId: string, source: Buffer | null, name: string): Promise<Status> => {
    const db = context.db.forProject(projectId)
    const mail = source && (await read(source, projectId))
    const messageId = mail?.messageId ?? `<${name}>`
    const known = await find(db, messageId)
    if (known) return known.status
    const outcome: Outcome = mail
      ? await judge(db, mail)
      : { status: 'refused', reason: source ? 'The mail could not be read' : 'The mail is larger than 10 MB' }
    if (mail && outcome.status === 'accepted') await say(outcome.ref, mail, messageId)
    const row = {
      ...{ gid: ids(), project_id: projectId, message_id: messageId, status: outcome.status, received_at: clock() },
      ...{ conversation_id: outcome.status === 'accepted' ? outcome.ref.id : null },
      ...{ reason: outcome.status === 'accepted' ? null : outcome.reason },
      ...{ sender: mail?.from ?? '', subject: mail?.subject ?? '' },
    }
    try {
      await db.insertInto('inbound_mails').values(row).execute()
    } catch (error) {
      // another process was faster: its message has the same client id
      if (!isUniqueViolation(error)) throw error
    }
    if (outcome.status === 'accepted')
      await db
        .updateTable('mail_threads')
        .set((eb) => ({ message_ids: eb.fn<string[]>('array_append', ['message_ids', eb.val(messageId)]) }))
        .where('conversation_id', '=', outcome.ref.id)
        .execute()
    return outcome.status
  }

  async function read(source: Buffer, owner: string): Promise<InboundSource | null> {
    try {
      return await run(readMailSource, new Uint8Array(source), { owner })
    } catch (error) {
      // a thread that was lost says nothing of the mail: it is read again later
      if (error instanceof TaskError && error.fault === 'lost') throw error
      return null
    }
  }

  /** Whose reply it is: by the address that it went to, else by the mail that it answers. */
  async function judge(db: ProjectDb, mail: InboundSource): Promise<Outcome> {
    const { from } = mail
    if (from === null) return { status: 'refused', reason: 'It names no sender' }
    // what this installation sent itself would go in a circle
    if (from === config.mailFrom.address.toLowerCase()) return { status: 'ignored', reason: 'One of our own mails' }
    if (mail.automatic !== null) return { status: 'ignored', reason: mail.automatic }
    const tokens = mail.to.flatMap((address) => /\+([0-9a-f]{32})@/.exec(address)?.[1] ?? [])
    const threads = db.selectFrom('mail_threads').select(['conversation_id as id', 'project_id'])
    const thread =
      (tokens.length > 0 &&
        (await threads.where('reply_hash', 'in', tokens.map(hashToken)).limit(1).executeTakeFirst())) ||
      (mail.before.length > 0 &&
        (await threads
          .where((eb) => eb('message_ids', '&&', eb.val(mail.before) as never))
          .orderBy('conversation_id', 'desc')
          .limit(1)
          .executeTakeFirst()))
    if (!thread) return { status: 'refused', reason: 'It answers no mail of this project' }
    if (!(await wasMailed(db, thread.id, from)))
      return { status: 'refused', reason: 'Its sender is not whom the answer was mailed to' }
    if (await isBlocked(db, thread.id)) return { status: 'refused', reason: 'The visitor is blocked' }
    if (mail.text === '' && mail.files.length === 0) return { status: 'ignored', reason: 'It says nothing' }
    return { status: 'accepted', ref: thread }
  }

  /** Adds the mail's text as the visitor's message, and its files as another one. */
  async function say(ref: ConversationRef, mail: InboundSource, messageId: string): Promise<void> {
    const clientId = `mail-${createHash('sha256').update(messageId).digest('hex').slice(0, 40)}`
    if (mail.text !== '') await answerAsVisitor(runtime, ref, { messageId: clientId, text: mail.text })
    if (await wasSaid(ref, `${clientId}-files`)) return
    const sent: SentFile[] = []
    for (const { name, bytes } of mail.files) {
      const file = await files.add(ref, { name, bytes, sender: mail.from ?? '' }).catch((error: unknown) => {
        // refused by the rules of files, such as a quota: the others and the text stay
        if (!(error instanceof ApiError) || ['overloaded', 'scan_failed', 'unavailable'].includes(error.code))
          throw error
        return null
      })
      if (file) sent.push(file)
    }
    if (sent.length === 0) return
    const content = { kind: 'files', files: sent } as const
    await runtime.people.append(ref, [{ author: 2, content, clientId: `${clientId}-files`, ownWords: false }])
  }

  async function wasSaid({ id, project_id }: ConversationRef, clientId: string): Promise<boolean> {
    const known = await context.db
      .forProject(project_id)
      .selectFrom('messages')
      .select('seq')
      .where('conversation_id', '=', id)
      .where('client_id', '=', clientId)
      .executeTakeFirst()
    return known !== undefined
  }
}

const find = (db: ProjectDb, messageId: string) =>
  db.selectFrom('inbound_mails').select('status').where('message_id', '=', messageId).executeTakeFirst()

/** Mails of a conversation whose recipients are looked at. */
const MOST_MAILS = 50

/** Whether an answer of the conversation was mailed to an address. */
async function wasMailed(db: ProjectDb, conversationId: string, address: string): Promise<boolean> {
  const rows = await db
    .selectFrom('mails')
    .select('addresses')
    .where('conversation_id', '=', conversationId)
    .where('purpose', '=', 'answer')
    .orderBy('id', 'desc')
    .limit(MOST_MAILS)
    .execute()
  return rows.some(({ addresses: { to } }) => to.some((each) => each.toLowerCase() === address))
}

async function isBlocked(db: ProjectDb, conversationId: string): Promise<boolean> {
  const row = await db
    .selectFrom('conversations')
    .innerJoin('blocked_visitors', (join) =>
      join
        .onRef('blocked_visitors.chatbot_id', '=', 'conversations.chatbot_id')
        .onRef('blocked_visitors.visitor_hash', '=', 'conversations.visitor_hash'),
    )
    .select('blocked_visitors.id')
    .where('conversations.id', '=', conversationId)
    .executeTakeFirst()
  return row !== undefined
}
