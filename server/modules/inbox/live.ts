import type { FastifyReply } from 'fastify'
import { sql } from 'kysely'
import { isAllowed } from '../../access/roles'
import { refusalOfSignIn, type SignedIn } from '../../access/signInRule'
import type { Presence } from '../../contracts/inbox'
import type { ServerContext } from '../../platform/context'
import { isSettled } from '../../platform/events/place'
import { beginEvents } from '../../platform/http/beginEvents'
import { createHeartbeats } from '../../platform/http/createHeartbeats'
import { memberChanged, memberRemoved, signInRuleChanged, signOnRuleChanged } from '../accounts/events'
import { contactChanged, contactMerged, contactUnmerged } from '../contacts/events'
import * as conversations from '../conversations/events'
import type { ProjectPresence } from '../conversations/runtime/presence'
import * as own from './events'

/** Between two looks at the log, however many commits there are; and for events whose transactions are under way. */
const LOOK_AGAIN_MS = 50
/** For what no process told of. */
const LOOK_EVERY_MS = 5_000
/** Streams of one member in one project: their tabs. The oldest gives way. */
const MOST_STREAMS = 10
const GIVEN_WAY_MS = 30_000
const MOST_UNREAD = 1_000_000
const BATCH = 1_000
/** Conversations that are told of for contacts that changed: the newest. */
const MOST_OF_CONTACTS = 200

const typesOf = (definitions: object): string[] =>
  Object.values(definitions).flatMap((one) =>
    typeof one === 'object' && one !== null && 'type' in one && typeof one.type === 'string' ? [one.type] : [],
  )
const ofConversations = new Set([...typesOf(conversations), ...typesOf(own)])
/** What visitors are called may be different from now on. */
const ofContacts = new Set<string>([contactChanged.type, contactMerged.type, contactUnmerged.type])
/** Who may see the inbox may be different from now on. */
const ofMembers = new Set<string>([
  ...[memberRemoved.type, memberChanged.type, signInRuleChanged.type, signOnRuleChanged.type],
])
const types = [...ofConversations, ...ofContacts, ...ofMembers]

interface Listener {
  reply: FastifyReply
  userId: string
  projectId: string
  tab: string
  /** how they have logged in */
  by: SignedIn
  close: () => void
}

/**
 * Streams of the inbox, one a tab: which conversations of the project have changed, read from the event log, and who
 * looks at them. A commit of this process starts a look at the log, the bus tells other processes, and every few
 * seconds there is one anyway, so that a lost notification is made up for.
 */
export function createLive({ db, bus, log }: Pick<ServerContext, 'db' | 'bus' | 'log'>, presence: ProjectPresence) {
  const projects = new Map<string, Set<Listener>>()
  const heartbeats = createHeartbeats()
  let place: { epoch: number; tx: string; id: string } | null = null
  let looking = false
  let wanted = false
  let timer: NodeJS.Timeout | null = null

  const leaveCommits = db.afterInsert('events', (parameters) => {
    if (!types.some((type) => parameters.includes(type))) return
    bus.publish('inbox', new Uint8Array())
    look()
  })
  const leaveBus = bus.subscribe('inbox', { hear: () => look(), look: () => look() })
  const poll = setInterval(() => look(), LOOK_EVERY_MS)
  poll.unref()

  /** Starts a look, or another one after the present one; nothing is read while nobody listens. */
  function look(): void {
    if (projects.size === 0) return
    wanted = true
    if (looking || timer) return
    looking = true
    wanted = false
    read()
      .catch((error) => {
        log.warn({ err: error }, 'events of the inbox could not be read')
        return false
      })
      .then((more) => {
        looking = false
        if (!more && !wanted) return
        timer = setTimeout(() => {
          timer = null
          look()
        }, LOOK_AGAIN_MS)
        timer.unref()
      })
  }

  /** @returns whether there is more: a full batch, or events whose order is not settled yet */
  async function read(): Promise<boolean> {
    const from = place ?? (await present())
    place = from
    const ids = [...projects.keys()]
    if (ids.length === 0) return false
    const all = db
      .selectFrom('events')
      .where('project_id', 'in', ids)
      .where('type', 'in', types)
      .where(sql<boolean>`(epoch, tx, id) > (${from.epoch}::integer, ${from.tx}::xid8, ${from.id}::bigint)`)
    const rows = await all
      .select(['project_id', 'type', 'payload', 'epoch', 'id'])
      .select(sql<string>`tx::text`.as('tx'))
      .where(isSettled)
      .orderBy('epoch')
      .orderBy('tx')
      .orderBy('id')
      .limit(BATCH)
      .execute()
    const last = rows.at(-1)
    if (last) place = { epoch: last.epoch, tx: last.tx, id: String(last.id) }
    for (const [projectId, listeners] of projects) {
      const mine = rows.filter((row) => row.project_id === projectId)
      if (mine.some(({ type }) => ofMembers.has(type))) await dismiss(projectId, listeners)
      const changed = mine
        .filter(({ type }) => ofConversations.has(type))
        .flatMap(({ payload }) => conversationsOf(payload))
      const contacts = mine.filter(({ type }) => ofContacts.has(type)).flatMap(({ payload }) => contactsOf(payload))
      if (contacts.length > 0) changed.push(...(await withContacts(projectId, contacts)))
      if (changed.length === 0) continue
      const gids = [...new Set(changed.filter((gid) => gid !== null))]
      // what has no conversation is what all of them share: labels, teams, saved replies
      const data = { conversations: gids, setup: changed.includes(null) }
      for (const listener of listeners) write(listener, 'changed', data)
    }
    if (rows.length === BATCH) return true
    const hidden = await all.select('id').where(sql<boolean>`not ${isSettled}`).limit(1).executeTakeFirst()
    return hidden !== undefined
  }

  /** The newest conversations whose visitors are these contacts. */
  async function withContacts(projectId: string, contacts: readonly string[]): Promise<string[]> {
    const rows = await db
      .selectFrom('conversations')
      .innerJoin('contacts', (join) =>
        join
          .onRef('contacts.id', '=', 'conversations.contact_id')
          .onRef('contacts.project_id', '=', 'conversations.project_id'),
      )
      .select('conversations.gid')
      .where('contacts.project_id', '=', projectId)
      .where('contacts.gid', 'in', [...new Set(contacts)])
      .orderBy('conversations.id', 'desc')
      .limit(MOST_OF_CONTACTS)
      .execute()
    return rows.map(({ gid }) => gid)
  }

  /** Where the log is now: what was written before is in the rows that listeners read first. */
  async function present() {
    const { rows } = await sql<{ epoch: number; tx: string }>`
      select event_epoch as epoch, pg_snapshot_xmin(pg_current_snapshot())::text as tx from installation`.execute(db)
    return { epoch: rows[0]?.epoch ?? 0, tx: rows[0]?.tx ?? '0', id: '0' }
  }

  /** Ends the streams of who may no longer see the inbox. */
  async function dismiss(projectId: string, listeners: ReadonlySet<Listener>): Promise<void> {
    const members = await db
      .selectFrom('project_members')
      .innerJoin('projects', 'projects.id', 'project_members.project_id')
      .select(['projects.id', 'user_id', 'roles', 'second_factor_required', 'sign_on_domains', 'by_sign_on'])
      .where('project_id', '=', projectId)
      .where('user_id', 'in', [...new Set([...listeners].map(({ userId }) => userId))])
      .execute()
    const allowed = new Map(
      members.filter(({ roles }) => isAllowed(roles, 'conversations.view')).map((member) => [member.user_id, member]),
    )
    for (const listener of [...listeners]) {
      const member = allowed.get(listener.userId)
      if (!member || refusalOfSignIn(member, listener.by)) listener.close()
    }
  }

  return {
    /** Answers with events until the listener disconnects, or may no longer see the project's conversations. */
    open({ reply, projectId, userId, tab, by }: Omit<Listener, 'close'>): void {
      reply.hijack()
      const { raw } = reply
      if (raw.destroyed) return
      beginEvents(reply)
      const listeners = projects.get(projectId) ?? new Set()
      const isFirst = projects.size === 0
      projects.set(projectId, listeners)
      const listener: Listener = { reply, projectId, userId, tab, by, close: () => raw.end() }
      const own = [...listeners].filter((one) => one.userId === userId)
      own.find((one) => one.tab === tab)?.close()
      listeners.add(listener)
      const tabs = own.filter((one) => one.tab !== tab)
      if (tabs.length >= MOST_STREAMS) {
        const [oldest] = tabs
        oldest?.reply.raw.write(`retry: ${GIVEN_WAY_MS}\n\n`)
        oldest?.close()
      }
      const leave = presence.subscribe(projectId, (seen: Presence) => write(listener, 'presence', seen))
      heartbeats.keepAlive(raw)
      raw.on('close', () => {
        leave()
        listeners.delete(listener)
        if (listeners.size === 0) projects.delete(projectId)
        // what comes while nobody listens is not read later
        if (projects.size === 0) place = null
      })
      if (isFirst) place = null
      // the place from which on changes are told is before what the listener reads next
      read()
        .catch((error) => log.warn({ err: error }, 'events of the inbox could not be read'))
        .then(() => write(listener, 'open', {}))
    },

    close(): void {
      leaveCommits()
      leaveBus()
      clearInterval(poll)
      if (timer) clearTimeout(timer)
    },
  }
}

export type Live = ReturnType<typeof createLive>

function write({ reply: { raw }, close }: Listener, event: string, data: unknown): void {
  if (raw.writableEnded || raw.destroyed) return
  if (raw.writableLength > MOST_UNREAD) close()
  else raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`)
}

/** The conversations that an event is about: its own, and the one of a merge. Null: none. */
function conversationsOf(payload: unknown): (string | null)[] {
  if (typeof payload !== 'object' || payload === null || !('conversation' in payload)) return [null]
  const { conversation, into, from } = payload as Record<string, unknown>
  return [conversation, into, from].filter((gid) => typeof gid === 'string' && gid !== '') as string[]
}

/** The contacts that an event is about: of a merge, both. */
function contactsOf(payload: unknown): string[] {
  if (typeof payload !== 'object' || payload === null) return []
  const { contact, merged } = payload as Record<string, unknown>
  return [contact, merged].filter((gid) => typeof gid === 'string')
}
