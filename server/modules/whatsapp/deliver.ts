import { sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import { channelCapabilities } from '../../contracts/channels'
import type { ChannelTemplate } from '../../contracts/channelTemplates'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import type { Addressee, Channel, Delivered, Owed } from '../conversations/channels/channel'
import { buttonWords } from './buttonWords'
import { composeMessages, isTemplate } from './composeMessages'
import { type ConnectionRow, type Connections, NOT_HEARD } from './connections'
import { AnswerLost, type Graph } from './graph'
import { GraphError } from './graphError'
import { whyNoTemplate } from './optIn'
import { type PersonRow, windowEnd } from './people'
import { requestBodyOf } from './requestBody'
import type { Templates } from './templates'
import { createTurns } from './turns'
import type { WhatsappMessage } from './whatsappMessage'

/** Messages a second of one number; WhatsApp refuses more. */
const A_SECOND = 80
/** Messages to one person: about one every six seconds, with short bursts. */
const PAIR = { most: 10, windowMs: 60_000 }
/** How long a status may take that says whether a message whose answer was lost has arrived. */
const SETTLED_AFTER = 60_000
/** How long a number is left alone whose values are refused. */
const RECONNECT_AFTER = 5 * 60_000
const BUSY_AFTER = 6_000
/** How long webhooks that came are given to be read, where one of them may say what became of a message. */
const LOOK_AGAIN = 5_000

interface Recipient {
  connection: ConnectionRow
  person: PersonRow
  language: string | null
}

/**
 * The channel's sending half. A message becomes one or more calls, each noted before it is made. One whose answer got
 * lost is not made again before WhatsApp has had time to say by a status that the message is there.
 */
export function createChannel(
  { db, clock, limits, config }: Pick<ServerContext, 'db' | 'clock' | 'limits' | 'config'>,
  {
    connections,
    graph,
    templates,
  }: { connections: Connections; graph: Graph; templates: Pick<Templates, 'ofConnection' | 'categoryOf'> },
): Channel {
  // any second counts, not the one of our clock: a place is free again a second after WhatsApp answered
  const inTurn = createTurns(limits.places('whatsapp number', 1_000))
  // what WhatsApp says while nobody listens comes again some time after that
  const listeningSince = clock().getTime()
  const later = (ms: number) => new Date(clock().getTime() + ms)

  async function find({ conversation, chatbotId, address }: Addressee): Promise<Recipient | string> {
    const own = db.forProject(conversation.project_id)
    const connection = await connections.ofChatbot(own, conversation.project_id, chatbotId)
    if (!connection) return 'The chatbot is not connected with WhatsApp any more.'
    const found = await own
      .selectFrom('whatsapp_people')
      .selectAll()
      .select(({ selectFrom }) =>
        selectFrom('conversations')
          .select('conversations.language')
          .where('conversations.id', '=', conversation.id)
          .where('conversations.project_id', '=', conversation.project_id)
          .as('language'),
      )
      .where('project_id', '=', conversation.project_id)
      .where('connection_id', '=', connection.id)
      .where('address', '=', address)
      .executeTakeFirst()
    if (!found) return 'This person wrote to another number.'
    const { language, ...person } = found
    return { connection, person, language }
  }

  /** The last part that was sent is the message's id. */
  async function deliver(owed: Owed): Promise<Delivered> {
    const found = await find(owed)
    if (typeof found === 'string') return { outcome: 'refused', reason: found }
    const { connection, person, language } = found
    const keys = connections.keysOf(connection)
    if (!keys) return { outcome: 'refused', reason: 'WhatsApp has to be connected again.' }
    const unwanted = await whyUnwanted(owed, found)
    if (unwanted !== null) return { outcome: 'refused', reason: unwanted }
    if (!isTemplate(owed.content) && windowEnd(person) <= clock()) return { outcome: 'refused', reason: OUTSIDE_WINDOW }
    let externalId: string | null = null
    for (const [part, message] of composeMessages(owed.content, owed.request, buttonWords(language)).entries()) {
      const sent = await sendPart(owed, found, keys.token, part, message)
      if (sent.outcome !== 'sent') return sent
      externalId = sent.externalId
    }
    return { outcome: 'sent', externalId }
  }

  /** Why a template may not go to the person; null: it may, or it is none. */
  async function whyUnwanted({ content }: Owed, { connection, person }: Recipient): Promise<string | null> {
    const template = content.kind === 'text' ? content.template : undefined
    if (!template) return null
    return whyNoTemplate(person, await templates.categoryOf(db.forProject(connection.project_id), connection, template))
  }

  async function sendPart(
    { key }: Owed,
    { connection, person }: Recipient,
    token: string,
    part: number,
    message: WhatsappMessage,
  ): Promise<Delivered> {
    const own = db.forProject(connection.project_id)
    const { row, free } = await look(own, connection, person, key, part)
    if (row?.status === 'failed') return { outcome: 'refused', reason: row.error ?? 'It did not arrive.' }
    if (row && row.status !== 'trying') return { outcome: 'sent', externalId: row.wamid }
    // another try's answer got lost: a status may still say that it has arrived
    const heardFrom = row && Math.max(row.tried_at.getTime(), listeningSince)
    const settled = heardFrom && new Date(heardFrom + SETTLED_AFTER)
    if (settled && settled > clock()) return { outcome: 'paced', after: settled }
    if (row && (await hasUnread(own, connection))) return { outcome: 'paced', after: later(LOOK_AGAIN) }
    if (free) return { outcome: 'paced', after: free }
    const entered = await inTurn(connection.gid, A_SECOND)
    if ('waitMs' in entered) return { outcome: 'paced', after: later(entered.waitMs) }
    const place = { project_id: connection.project_id, connection_id: connection.id, person_id: person.id, key, part }
    try {
      await own
        .insertInto('whatsapp_sends')
        .values({ ...place, status: 'trying', wamid: null, error: null, tried_at: clock() })
        .onConflict((conflict) => conflict.columns(['key', 'part']).doUpdateSet({ tried_at: clock() }))
        .execute()
      const to = person.phone === null ? { recipient: person.user_id } : { to: person.phone }
      const body = requestBodyOf(message, { to, key, part }, config.publicUrl)
      const wamid = wamidOf(await graph.post(token, `${connection.number_id}/messages`, body))
      await own
        .updateTable('whatsapp_sends')
        .set({ status: 'accepted', wamid })
        .where('key', '=', key)
        .where('part', '=', part)
        .where('project_id', '=', connection.project_id)
        // its status may have come before the answer
        .where('status', '=', 'trying')
        .execute()
      if (connection.problem !== null && connection.problem !== NOT_HEARD) await connections.note(connection, null)
      return { outcome: 'sent', externalId: wamid }
    } catch (error) {
      if (error instanceof AnswerLost) return { outcome: 'failed', reason: error.message, after: later(SETTLED_AFTER) }
      if (!(error instanceof GraphError)) throw error
      // it was refused, so it was not sent: nothing is waited for
      await own
        .deleteFrom('whatsapp_sends')
        .where('key', '=', key)
        .where('part', '=', part)
        .where('project_id', '=', connection.project_id)
        .execute()
      return refused(error, connection, person)
    } finally {
      for (const leave of entered.leaves) leave()
    }
  }

  async function refused(error: GraphError, connection: ConnectionRow, person: PersonRow): Promise<Delivered> {
    switch (error.action) {
      case 'wait':
        return { outcome: 'paced', after: later(BUSY_AFTER) }
      case 'retry':
        return { outcome: 'failed', reason: error.message }
      case 'reconnect':
        await connections.note(connection, error.message)
        return { outcome: 'failed', reason: error.message, after: later(RECONNECT_AFTER) }
      case 'window':
        // the clock is WhatsApp's
        await db
          .forProject(connection.project_id)
          .updateTable('whatsapp_people')
          .set({ window_closed: true })
          .where('id', '=', person.id)
          .where('project_id', '=', connection.project_id)
          .execute()
        return { outcome: 'refused', reason: OUTSIDE_WINDOW }
      case 'drop':
        return { outcome: 'refused', reason: error.message }
    }
  }

  /**
   * What is known of a part of a delivery, and when the next message may go to the person (null: now). Others are not
   * held up.
   */
  async function look(own: ProjectDb, connection: ConnectionRow, person: PersonRow, key: string, part: number) {
    const rows = await own
      .selectFrom('whatsapp_sends')
      .select(['status', 'error', 'wamid', 'tried_at', sql<boolean>`true`.as('own')])
      .where('project_id', '=', connection.project_id)
      .where('key', '=', key)
      .where('part', '=', part)
      .unionAll(({ selectFrom }) =>
        selectFrom(
          selectFrom('whatsapp_sends')
            .select(['status', 'error', 'wamid', 'tried_at', sql<boolean>`false`.as('own')])
            .where('person_id', '=', person.id)
            .where('project_id', '=', connection.project_id)
            .where('tried_at', '>', later(-PAIR.windowMs))
            .orderBy('tried_at', 'desc')
            .limit(PAIR.most)
            .as('recent'),
        ).selectAll(),
      )
      .execute()
    const recent = rows.filter((each) => !each.own).map(({ tried_at }) => tried_at.getTime())
    const free = recent.length === PAIR.most ? new Date(Math.min(...recent) + PAIR.windowMs) : null
    return { row: rows.find((each) => each.own), free }
  }

  async function windowEndOf(to: Addressee): Promise<Date | null> {
    const found = await find(to)
    return typeof found === 'string' ? null : windowEnd(found.person)
  }

  async function templatesFor(to: Addressee): Promise<ChannelTemplate[]> {
    const found = await find(to)
    if (typeof found === 'string') return []
    const all = await templates.ofConnection(db.forProject(to.conversation.project_id), found.connection)
    const { language, person } = found
    return all
      .filter(({ sendable, category }) => sendable && whyNoTemplate(person, category) === null)
      .map(({ status: _, quality: __, reason: ___, ...template }) => template)
      .toSorted((one, two) => Number(isIn(two.language, language)) - Number(isIn(one.language, language)))
  }

  return {
    capabilities: channelCapabilities.whatsapp,
    deliver,
    isConnected: async (...chatbot) => (await connections.ofChatbot(...chatbot)) !== undefined,
    windowEnd: windowEndOf,
    templates: templatesFor,
  }
}

/** Whether a template is in the visitor's language, of whatever country. */
const isIn = (code: string, language: string | null): boolean =>
  language !== null && code.split('_')[0] === language.split('-')[0]

/** Whether what WhatsApp has said of a number is not read yet. */
const hasUnread = async (own: ProjectDb, { id, project_id }: ConnectionRow): Promise<boolean> =>
  (await own
    .selectFrom('whatsapp_webhooks')
    .select('id')
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where('apart', '=', false)
    .limit(1)
    .executeTakeFirst()) !== undefined

const OUTSIDE_WINDOW = 'The 24 hours since this person’s last message are over: only templates can be sent now.'

function wamidOf(answer: Json): string | null {
  const messages = typeof answer === 'object' && answer !== null && 'messages' in answer ? answer.messages : null
  const first = Array.isArray(messages) ? messages[0] : null
  return typeof first === 'object' && first !== null && 'id' in first && typeof first.id === 'string' ? first.id : null
}
