import { sql } from 'kysely'
import type { InputRequest, Reply, SentFile, StartEvent } from '../../../../engine/flow/conversation'
import { replyInWords } from '../../../../engine/flow/replyInWords'
import { plainRichText } from '../../../../engine/values/richText'
import type { ServerContext } from '../../../platform/context'
import { ApiError, isUniqueViolation } from '../../../platform/errors'
import { isBlockedAddress } from '../chat/blockedVisitors'
import type { ConversationRef } from '../conversations/conversationRef'
import type { Runtime, StartOptions } from '../runtime/createRuntime'
import { isReopenable } from '../runtime/rows'
import type { SentFiles } from '../runtime/sentFiles'
import { visitorSays } from '../runtime/visitorSays'
import { FileLeftOut, type LeftOut, type Received } from './channel'
import { isSkippable, SKIP_OPTION } from './skipOption'

/** The chatbot that a channel's address belongs to, and the version that new conversations run on. */
export type ReceivingChatbot = Pick<StartOptions, 'projectId' | 'chatbotId' | 'versionId' | 'environment'>

/** Higher than any message's number: reads the question that waits, without messages. */
const NONE = 2_000_000_000

/** What conversations of a channel are received with. */
export interface ReceivingChannel {
  name: string
  chatbot: ReceivingChatbot
  /** stores visitors' files; absent: the channel has none */
  files?: Pick<SentFiles, 'add'>
  /** whether the message that begins a conversation answers its first question, if nothing is said before it */
  openingAnswers?: true
}

/**
 * Adds a visitor's message to their open conversation, or starts one. The same message twice is added once, so that the
 * channel may resend what was not acknowledged.
 * @returns the conversation; null if the message was known, or its visitor is blocked
 */
export async function takeReceived(
  { db }: Pick<ServerContext, 'db'>,
  runtime: Runtime,
  { name, chatbot, files, openingAnswers }: ReceivingChannel,
  given: Received,
): Promise<ConversationRef | null> {
  const { projectId, chatbotId } = chatbot

  /** Whether the message exists in a conversation of the visitor, which may be closed by now. */
  async function isKnown({ address, messageId }: Received): Promise<boolean> {
    const known = await db
      .forProject(chatbot.projectId)
      .selectFrom('conversations')
      .innerJoin('messages', (join) =>
        join
          .onRef('messages.conversation_id', '=', 'conversations.id')
          .onRef('messages.project_id', '=', 'conversations.project_id'),
      )
      .select('seq')
      .where('conversations.project_id', '=', chatbot.projectId)
      .where('conversations.chatbot_id', '=', chatbot.chatbotId)
      .where('channel', '=', name)
      .where('address', '=', address)
      .where('messages.client_id', '=', messageId)
      .executeTakeFirst()
    return known !== undefined
  }

  /** The visitor's last conversation, if it is closed and a person had it: the message opens it again. */
  async function findReopenable(address: string): Promise<ConversationRef | undefined> {
    const last = await db
      .forProject(chatbot.projectId)
      .selectFrom('conversations')
      .select(['id', 'project_id', 'status', 'assignee_id'])
      .where('project_id', '=', chatbot.projectId)
      .where('chatbot_id', '=', chatbot.chatbotId)
      .where('channel', '=', name)
      .where('environment', '=', chatbot.environment)
      .where('address', '=', address)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst()
    return last && isReopenable(last) ? last : undefined
  }

  /** Null when another message of the visitor has started a conversation meanwhile. */
  async function begin(
    { address, messageId, text, language, ...received }: Received,
    event: StartEvent | null,
  ): Promise<ConversationRef | null> {
    try {
      const { ref } = await runtime.start({
        ...chatbot,
        channel: name,
        address,
        clientId: messageId,
        startedBy: null,
        ...(event && { event }),
        opening: openingOf({ messageId, text, files: received.files }),
        visitor: received.contactId ? { hash: null, visit: null, contactId: await received.contactId() } : null,
        known: { ...received.known, ...(language !== undefined && { language: language.toLowerCase() }) },
        ...(received.named && { named: received.named }),
      })
      if (openingAnswers && text !== '') await runtime.answerByOpening(ref, messageId, text)
      const stored = await store(ref, received)
      if (stored.length > 0) await runtime.people.append(ref, [filesMessage(messageId, stored)])
      return ref
    } catch (error) {
      if (isUniqueViolation(error)) return null
      throw error
    }
  }

  /**
   * Whether a crash came before the files of a message that is in the conversation were stored: they are in it, or a
   * message of their own.
   */
  async function lacksFiles(ref: ConversationRef, { messageId, files: sent = [] }: Received): Promise<boolean> {
    if (sent.length === 0) return false
    const row = await db
      .forProject(projectId)
      .selectFrom('messages')
      .select('seq')
      .where('conversation_id', '=', ref.id)
      .where('project_id', '=', projectId)
      .where('client_id', 'in', [messageId, `${messageId}-files`])
      .where(sql<boolean>`content ->> 'kind' = 'files'`)
      .executeTakeFirst()
    return row === undefined
  }

  /** Files that the channel never gives, or that the rules of files refuse, are left out: the message stays. */
  async function store(ref: ConversationRef, { files: sent = [] }: Pick<Received, 'files'>): Promise<SentFile[]> {
    const stored: SentFile[] = []
    for (const file of sent) {
      const added = await file
        .read()
        .then((bytes) => files?.add(ref, { name: file.name, bytes, sender: given.address }))
        .catch((error: unknown) => {
          file.leftOut?.(whyLeftOut(error))
        })
      if (added) stored.push(added)
    }
    return stored
  }

  /**
   * What starts at a trigger of its own: the visitor came by a link with its text, or by an advertisement. Null: the
   * message starts nothing of its own.
   */
  async function eventOf({ text, referral }: Received): Promise<StartEvent | null> {
    const { opened } = await runtime.links(chatbot, text)
    if (opened === null && !referral) return null
    const event: StartEvent = { type: 'start', ...(opened !== null && { opened }), ...(referral && { referral }) }
    return (await runtime.foresee(chatbot, event)).forThisVisit ? event : null
  }

  if (await isKnown(given)) {
    const open = await findOpen(db, { name, chatbot, address: given.address })
    // a crash may have come before its opening was taken as an answer, and before its files were stored
    if (open && openingAnswers && given.text !== '') await runtime.answerByOpening(open, given.messageId, given.text)
    const stored = open && (await lacksFiles(open, given)) ? await store(open, given) : []
    if (open && stored.length > 0) await runtime.people.append(open, [filesMessage(given.messageId, stored)])
    return null
  }
  if (await isBlockedAddress(db.forProject(projectId), { chatbotId, channel: name, address: given.address }))
    return null
  const received = { ...given, text: given.text || ((await given.transcript?.()) ?? '') }
  const event = await eventOf(received)
  for (;;) {
    const open = await findOpen(db, { name, chatbot, address: received.address })
    // a person who has the conversation goes on with it
    if (open?.status === 'bot' && event) {
      await runtime.people.restart(open, { versionId: chatbot.versionId, event, opening: openingOf(received) })
      const stored = await store(open, received)
      if (stored.length > 0) await runtime.people.append(open, [filesMessage(received.messageId, stored)])
      return open
    }
    const present = open ?? (await findReopenable(received.address))
    if (present) {
      await answerAsVisitor(runtime, present, { ...received, files: await store(present, received) })
      return present
    }
    const begun = await begin(received, event)
    if (begun) return begun
  }
}

interface Addressed {
  /** the channel's name */
  name: string
  chatbot: Omit<ReceivingChatbot, 'versionId'>
  /** the visitor's address there */
  address: string
}

/** What the visitor's open conversation asks them; null: there is none, or it asks nothing. */
export async function questionOf(
  { db }: Pick<ServerContext, 'db'>,
  runtime: Pick<Runtime, 'read'>,
  { name, chatbot, address }: Addressed,
): Promise<InputRequest | null> {
  const open = await findOpen(db, { name, chatbot, address })
  if (!open) return null
  const { state, session } = await runtime.read(open, NONE)
  return state === 'waiting' ? session.request : null
}

/** The visitor's conversation of a channel that is not closed. */
export const findOpen = (
  db: ServerContext['db'],
  { name, chatbot, address }: Addressed,
): Promise<(ConversationRef & { status: string }) | undefined> =>
  db
    .forProject(chatbot.projectId)
    .selectFrom('conversations')
    .select(['id', 'project_id', 'status'])
    .where('project_id', '=', chatbot.projectId)
    .where('chatbot_id', '=', chatbot.chatbotId)
    .where('channel', '=', name)
    .where('environment', '=', chatbot.environment)
    .where('address', '=', address)
    .where('status', '<>', 'closed')
    .executeTakeFirst()

/** The message that starts a run; files without words are named. */
const openingOf = ({ messageId, text, files = [] }: Pick<Received, 'messageId' | 'text' | 'files'>) => {
  const words = text === '' ? files.map((file) => file.name).join('\n') : text
  return { content: { kind: 'text' as const, text: plainRichText(words) }, clientId: messageId }
}

/** @throws what may pass: the message is then taken again */
function whyLeftOut(error: unknown): LeftOut {
  if (error instanceof FileLeftOut) return error.why
  if (!(error instanceof ApiError) || ['overloaded', 'scan_failed', 'unavailable'].includes(error.code)) throw error
  return error.code === 'too_large' ? 'file_too_large' : 'file_refused'
}

const filesMessage = (messageId: string, files: SentFile[]) =>
  ({ author: 2, content: { kind: 'files', files }, clientId: `${messageId}-files`, ownWords: false }) as const

/**
 * Adds a visitor's message to a conversation: the answer to its question, or, where the flow takes none now (a wait),
 * a message that it passes over. Files that no question asks for are a message of their own. Sent again under the same
 * id, it is one message.
 */
export async function answerAsVisitor(
  runtime: Pick<Runtime, 'read' | 'reply' | 'people'>,
  ref: ConversationRef,
  { messageId, text, choice, files = [] }: Answering,
): Promise<void> {
  const { state, session } = await runtime.read(ref, NONE)
  const request = state === 'waiting' ? session.request : null
  if (files.length > 0 && request?.input !== 'file') await runtime.people.append(ref, [filesMessage(messageId, files)])
  const reply = replyOf({ text, choice, files }, request)
  if (!reply) return
  try {
    await runtime.reply(ref, messageId, reply)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'conflict') throw error
    const content = visitorSays(reply, session.request)
    await runtime.people.append(ref, [{ author: 2, content, clientId: messageId, ownWords: true }])
  }
}
type Answering = Pick<Received, 'messageId' | 'text' | 'choice'> & { files?: SentFile[] }

/** A form is answered line by line, in the order of its fields. */
function readLines({ fields }: Extract<InputRequest, { input: 'form' }>, text: string): Record<string, string> {
  const lines = text.split('\n', fields.length)
  return Object.fromEntries(fields.map(({ id }, at) => [id, lines[at]?.trim() ?? '']))
}

/**
 * What was chosen answers the question whose option it is, and counts by its label elsewhere: it may be of an earlier
 * question. A typed text selects the option with that label or number, if there are options.
 */
function replyOf(
  { text, choice, files = [] }: Omit<Answering, 'messageId'>,
  request: InputRequest | null,
): Reply | null {
  if (request?.input === 'file' && files.length > 0) return { type: 'files', files: files.slice(0, request.maxCount) }
  if (request && choice !== undefined && 'options' in request && request.options.some(({ id }) => id === choice))
    return { type: 'choice', optionIds: [choice] }
  const quick = request && 'quickReplies' in request ? request.quickReplies?.find(({ id }) => id === choice) : undefined
  if (quick) return { type: 'text', text: quick.label }
  if (request && choice === SKIP_OPTION && isSkippable(request)) return { type: 'skip' }
  if (text === '') return null
  if (request?.input === 'form') return { type: 'form', values: readLines(request, text) }
  const words = request && replyInWords(request, text)
  return words && !('problem' in words) ? words : { type: 'text', text }
}
