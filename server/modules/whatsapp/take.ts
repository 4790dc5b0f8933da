import type { Selectable } from 'kysely'
import { contactCaps } from '../../../engine/values/caps'
import { plainRichText } from '../../../engine/values/richText'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { insertJob } from '../../platform/jobs/insertJob'
import { renewed } from '../../platform/jobs/renewed'
import { channelIdentity, verifiedContact } from '../contacts/verifiedContact'
import { FileLeftOut, type LeftOut, type Received } from '../conversations/channels/channel'
import { noteTold } from '../conversations/channels/noteAside'
import { findOpen, questionOf, takeReceived } from '../conversations/channels/receive'
import { isBlockedAddress } from '../conversations/chat/blockedVisitors'
import { publishedVersionOf } from '../conversations/chat/publishedVersionOf'
import type { Runtime } from '../conversations/runtime/createRuntime'
import type { SentFiles } from '../conversations/runtime/sentFiles'
import type { Transcribe } from '../models/transcribe'
import { WHATSAPP } from './channelName'
import type { ConnectionRow, Connections } from './connections'
import { type Continuation, type Continued, readToken } from './continuation'
import { type Graph, whyNoMedia } from './graph'
import { noteAside, noteChange } from './noteChange'
import { noteOptWord } from './optIn'
import type { PersonRow } from './people'
import { readAside, readChange } from './readChange'
import { cut, isTyped, readMessage, type Said } from './readMessage'
import { takeApart, takeMessages } from './storeMessages'
import type { WhatsappInboundTable } from './tables'
import type { ToWeb } from './toWeb'
import { claim, hasMore, keep, waitingOf } from './waiting'
import { asksForWeb } from './webCommand'

/** Messages that are taken before others get their turn. */
const AT_ONCE = 20
const AGAIN = 1_000
/** How long after a typed message another one still belongs to it, and how long after the first. */
const SETTLE = 2_000
const LONGEST_SETTLE = 10_000
/** After so many failures, a bit more than a minute, a message is tried by itself. */
const MOST_FAILURES = 4
/** Questions that are answered by free words; one with options takes the first word that fits. */
const WORDS: ReadonlySet<string> = new Set(['text', 'form'])

type InboundRow = Selectable<WhatsappInboundTable>
/** What is taken at once, and the rows in which it stands. */
interface Turn {
  said: Said | null
  ids: string[]
}

interface Taken {
  problem: string | null
  leftOut: readonly LeftOut[]
}

interface Parts {
  connections: Connections
  graph: Graph
  runtime: Runtime
  files: Pick<SentFiles, 'add'>
  transcribe: Transcribe
  continuation: Continuation
  toWeb: Pick<ToWeb, 'answer'>
}

/**
 * Takes a person's stored messages into their conversation, one after the other in the order in which they were sent.
 * One process at a time does so for a person.
 */
export function takesMessages(context: ServerContext, parts: Parts) {
  const { db, clock, log } = context
  const { connections, graph, runtime, files, transcribe, continuation, toWeb } = parts

  const takes = takeMessages.handledBy(async ({ person: id }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    for (let count = 0; count < AT_ONCE; count++) {
      const taken = await withPerson(own, id, async (person) => {
        const waiting = await waitingOf(own, id).where('apart', '=', false).execute()
        const [first] = waiting
        if (!first) return false
        return takeFirst(own, person, waiting).catch((error: unknown) => noteFailure(own, first, error))
      })
      if (taken === null) return (await hasMore(own, id)) ? new Date(clock().getTime() + AGAIN) : undefined
      if (taken instanceof Date) return taken
      if (!taken) return undefined
    }
    return clock()
  })

  const takesApart = takeApart.handledBy(async ({ person: id, message }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const taken = await withPerson(own, id, async (person) => {
      const waiting = await waitingOf(own, id)
        .where((eb) => eb.or([eb('id', '=', message), eb('joined_to', '=', message)]))
        .execute()
      return takeFirst(own, person, waiting)
    })
    if (taken instanceof Date) return taken
    return taken === null ? new Date(clock().getTime() + AGAIN) : undefined
  })

  return [takes, takesApart]

  /** Works while no other process takes the person's messages; null: one does. */
  async function withPerson<T>(own: ProjectDb, id: string, work: (person: PersonRow) => Promise<T>): Promise<T | null> {
    const person = await claim(own, id, clock())
    if (!person) return null
    try {
      return await renewed(
        () => keep(own, id, clock()),
        () => work(person),
      )
    } finally {
      await own.updateTable('whatsapp_people').set({ busy_until: null }).where('id', '=', id).execute()
    }
  }

  /** Sets a message that failed too often apart, so that what was written after it is answered. @returns true then */
  async function noteFailure(own: ProjectDb, { id, person_id, project_id }: InboundRow, error: unknown): Promise<true> {
    const noted = await own
      .updateTable('whatsapp_inbound')
      .set(({ eb }) => ({ failures: eb('failures', '+', 1) }))
      .where('id', '=', id)
      .returning('failures')
      .executeTakeFirst()
    if ((noted?.failures ?? 0) < MOST_FAILURES) throw error
    log.warn({ err: error, message: id, person: person_id }, 'a message at WhatsApp fails, and is tried by itself')
    await own.transaction().execute(async (work) => {
      await work
        .updateTable('whatsapp_inbound')
        .set({ apart: true })
        .where((eb) => eb.or([eb('id', '=', id), eb('joined_to', '=', id)]))
        .execute()
      const payload = { person: person_id, message: id }
      await insertJob(work, takeApart, { payload, runAt: clock(), projectId: project_id, key: id }, clock()).execute()
    })
    return true
  }

  /** @returns whether there was one; a date: more may be typed until then */
  async function takeFirst(own: ProjectDb, person: PersonRow, waiting: readonly InboundRow[]): Promise<boolean | Date> {
    const [first] = waiting
    if (!first) return false
    const connection = await own
      .selectFrom('whatsapp_connections')
      .selectAll()
      .where('id', '=', person.connection_id)
      .executeTakeFirst()
    const change = readChange(first.message)
    const aside = change ? null : readAside(first.message)
    const inbound = first.id
    const shown =
      connection && change
        ? await noteChange(own, { connection, person, change }, clock())
        : connection && aside && (await noteAside(own, { connection, person, aside, inbound }, clock()))
    if (shown) {
      runtime.updates.publish(shown)
      await own.updateTable('whatsapp_inbound').set({ taken_at: clock() }).where('id', '=', first.id).execute()
      return true
    }
    const row = connection && (await joinTyped(own, connection, person, waiting))
    if (row instanceof Date) return row
    const { said, ids } = row ?? { said: null, ids: [first.id] }
    const taken = connection && said ? await take(own, connection, person, first, said) : null
    const problem = taken ? taken.problem : NOTHING_SAID
    const place = {
      ...{ projectId: person.project_id, chatbotId: connection?.chatbot_id ?? '' },
      ...{ channel: WHATSAPP, address: person.address },
    }
    // in one, so that a crash tells of a file neither twice nor never
    await own.transaction().execute(async (work) => {
      await work.updateTable('whatsapp_inbound').set({ taken_at: clock(), problem }).where('id', 'in', ids).execute()
      for (const what of taken?.leftOut ?? []) await noteTold(work, place, { what }, clock())
    })
    return true
  }

  /**
   * The next message, with those that were typed after it: people write one thought in several messages, and a question
   * that the first of them answered would take the others for answers to what follows. What belongs together is noted
   * before it is taken, so that it stays so after a crash. @returns a date while the person may still be typing
   */
  async function joinTyped(
    own: ProjectDb,
    connection: ConnectionRow,
    person: PersonRow,
    [first, ...others]: readonly InboundRow[],
  ): Promise<Turn | Date | null> {
    if (!first) return null
    const said = readMessage(first.message)
    const alone = { said, ids: [first.id] }
    if (!isTyped(first.message) || !said) return alone
    const noted = others.filter(({ joined_to }) => joined_to === first.id)
    const isNoted = first.joined_to === first.id
    if (!isNoted && !(await asksForWords(connection, person))) return alone
    const end = others.findIndex(({ message, joined_to }) => !isTyped(message) || joined_to !== null)
    const parts = isNoted ? noted : others.slice(0, end < 0 ? undefined : end)
    const last = parts.at(-1) ?? first
    const settled = new Date(Math.min(last.created_at.getTime() + SETTLE, first.created_at.getTime() + LONGEST_SETTLE))
    // what is something else ends the typing
    if (!isNoted && end < 0 && settled > clock()) return settled
    const ids = [first.id, ...parts.map(({ id }) => id)]
    if (!isNoted)
      await own.updateTable('whatsapp_inbound').set({ joined_to: first.id }).where('id', 'in', ids).execute()
    const texts = [said, ...parts.map(({ message }) => readMessage(message))].map((each) => each?.text ?? '')
    return { said: { ...said, text: cut(texts.join('\n')) }, ids }
  }

  async function asksForWords({ chatbot_id, project_id }: ConnectionRow, { address }: PersonRow): Promise<boolean> {
    const chatbot = { projectId: project_id, chatbotId: chatbot_id, environment: 'production' as const }
    const question = await questionOf(context, runtime, { name: WHATSAPP, chatbot, address })
    return question !== null && WORDS.has(question.input)
  }

  /**
   * @returns `problem`: why it is in no conversation; null: it is in one, or was before. `leftOut`: why files of it are
   * not there
   */
  async function take(
    own: ProjectDb,
    connection: ConnectionRow,
    person: PersonRow,
    { wamid, failures }: Pick<InboundRow, 'wamid' | 'failures'>,
    given: Said,
  ): Promise<Taken> {
    const { chatbot_id: chatbotId, project_id: projectId } = connection
    await noteOptWord(own, person, given.text, clock())
    const versionId = await publishedVersionOf(own, chatbotId)
    if (versionId === null) return { problem: 'The chatbot is not published.', leftOut: [] }
    const chatbot = { projectId, chatbotId, versionId, environment: 'production' as const }
    if (
      asksForWeb(given.text) &&
      !(await isBlockedAddress(own, { ...chatbot, channel: WHATSAPP, address: person.address }))
    ) {
      const goesOn = await findOpen(db, { name: WHATSAPP, chatbot, address: person.address })
      if (goesOn) {
        await toWeb.answer(own, connection, goesOn, { messageId: wamid, text: given.text })
        return { problem: null, leftOut: [] }
      }
    }
    const contactId = async () => {
      const { name, phone, address } = person
      const verifiedId = channelIdentity(WHATSAPP, address)
      const known = {
        ...(name !== '' && { name: name.slice(0, contactCaps.name) }),
        ...(phone !== null && { phone: `+${phone}` }),
      }
      return (await verifiedContact(own, context, { projectId, chatbotId, verifiedId, known })).id
    }
    const { continued, said } = await continueFromWeb()
    const keys = connections.keysOf(connection)
    const token = keys?.token ?? ''
    // read marks and "is typing" are a courtesy: without them all else works
    const mark = {
      messaging_product: 'whatsapp',
      status: 'read',
      message_id: wamid,
      typing_indicator: { type: 'text' },
    }
    graph
      .post(token, `${connection.number_id}/messages`, mark)
      .catch((error: unknown) =>
        log.info({ err: error, connection: connection.gid }, 'a message was not marked as read'),
      )
    const { media } = said
    const leftOut: LeftOut[] = []
    let fetched: Promise<Uint8Array> | null = null
    const read = (id: string) => {
      fetched ??= graph.media(token, id).catch((error: unknown) => {
        const why = whyNoMedia(error)
        // what may pass is tried again, but the words that came with it don't wait for ever
        throw why === null && failures < MOST_FAILURES - 1 ? error : new FileLeftOut(why ?? 'file_missing')
      })
      return fetched
    }
    // without words the sound stays, as all else that is sent
    const wordsIn = async ({ id, name }: NonNullable<Said['media']>): Promise<string | null> => {
      const bytes = await read(id).catch(() => null)
      return bytes && transcribe(projectId, { key: `${connection.gid} ${wamid}`, name, bytes })
    }
    const received: Received = {
      ...{ address: person.address, messageId: wamid, text: said.text, choice: said.choice },
      ...(media && { files: [{ name: media.name, read: () => read(media.id), leftOut: (why) => leftOut.push(why) }] }),
      ...(media && said.spoken && { transcript: () => wordsIn(media) }),
      contactId,
      known: {
        ...(person.name !== '' && { contact_name: person.name }),
        ...(person.phone !== null && { contact_phone: `+${person.phone}` }),
      },
      ...(said.named && { named: said.named }),
      ...(said.referral && { referral: said.referral }),
    }
    const open = continued && (await findOpen(db, { name: WHATSAPP, chatbot, address: person.address }))
    // what was asked on the web need not be asked again; what was answered here since stays
    const answered = continued ? await runtime.namedOf(continued.web) : {}
    if (open) await runtime.setNamed(open, { ...answered, ...(await runtime.namedOf(open)) })
    // the link's words answer no question
    if (open)
      await runtime.people.append(open, [{ author: 2, content: saidIn(said), clientId: wamid, ownWords: false }])
    else {
      const channel = { name: WHATSAPP, chatbot, files, ...(!continued && ({ openingAnswers: true } as const)) }
      const named = { ...answered, ...received.named }
      await takeReceived(context, runtime, channel, { ...received, ...(continued && { named }) })
    }
    if (continued) await continuation.tell(own, continued, person.address)
    return { problem: null, leftOut }

    /** Uses the token of a link from the web; words whose token is worth nothing are words like any other. */
    async function continueFromWeb(): Promise<{ continued: Continued | null; said: Said }> {
      const found = readToken(given.text)
      const place = { chatbotId, channel: WHATSAPP, address: person.address }
      if (!found || (await isBlockedAddress(own, place))) return { continued: null, said: given }
      const { token, rest } = found
      const used = await continuation.use(own, connection, { token, wamid, whatsappContact: await contactId() })
      return { continued: used, said: used ? { ...given, text: rest || connection.verified_name } : given }
    }
  }
}

const saidIn = ({ text }: Said) => ({ kind: 'text' as const, text: plainRichText(text) })

const NOTHING_SAID = 'It says nothing that a chatbot can take.'
