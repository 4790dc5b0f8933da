import { Awareness } from 'y-protocols/awareness'
import * as Y from 'yjs'
import { type OverCap, watchCaps } from '../../../../engine/document/documentCaps'
import { type Repair, repairOrigin } from '../../../../engine/document/repairDocument'
import type { ServerContext } from '../../../platform/context'
import type { Drafts } from '../drafts/createDrafts'
import { coalesceRuns } from './coalesce'
import { decodeNews, encodeNews, type FlowNews, flowChannel } from './flowNews'
import { createPresence, type Presence } from './presence'
import { keepInOrder, soundOrigin } from './repairs'
import {
  appendUpdate,
  applyInPieces,
  compactDocument,
  type Edit,
  type FlowRef,
  loadDocument,
  type ReadMark,
  readNews,
} from './store'

/** A participant of a room, such as a socket's connection. */
export interface Member {
  /** called for every change of the document, whoever made it */
  onUpdate(update: Uint8Array): void
  /** `frames` write frames of this member are stored */
  onSaved(frames: number): void
  /** the room has ended; `retry`: the client should reconnect */
  onEnd(end: 'gone' | 'retry'): void
  /** the user of its updates: a row id */
  readonly userId?: string
}

/** What a room needs. */
export type RoomContext = Pick<ServerContext, 'bus' | 'config' | 'db' | 'log' | 'registry' | 'ids'> & { drafts: Drafts }

export interface Room {
  readonly doc: Y.Doc
  readonly awareness: Awareness
  /** awareness states by process */
  readonly presence: Presence
  /** approximate stored size */
  readonly bytes: number
  join(member: Member): () => void
  /**
   * Applies a member's write frame, unless the document would exceed a cap: then it is neither forwarded nor stored.
   * @returns the exceeded cap; the member has left the room then
   * @throws for an invalid update
   */
  write(member: Member, update: Uint8Array): OverCap | null
  /**
   * Applies a validated large change: stored as one update, then applied in pieces with pauses for others.
   * @throws what the database throws; then nothing is applied
   */
  takeWhole(change: { update: Uint8Array; pieces: readonly Uint8Array[]; edit?: Edit }): Promise<void>
  /** resolves when everything applied so far is stored; rejects if that fails */
  flushed(): Promise<void>
  /**
   * resolves when the document contains everything that any process had stored at the time of the call; rejects if it
   * can't be read
   */
  caughtUp(): Promise<void>
  /** releases the document after storing everything */
  close(): Promise<void>
  /**
   * The same for an empty room; also compacts a longer tail of updates.
   * @returns false if somebody joined meanwhile, or something could not be stored: then it stays open
   */
  retire(isEmpty: () => boolean): Promise<boolean>
}

/** Number of updates after which they are compacted into the snapshot. */
const COMPACT_AFTER = 300
const TIDY_AFTER = 20
const RETRY_MS = 1_000
/** More bytes of others' updates are applied in pieces. */
const LARGE_BYTES = 256_000
/** How long changes are collected before they are stored together; only the "Saved" mark shows it. */
const GATHER_MS = 20

/** The origin of other processes' updates: neither stored nor announced again. */
const STORED_ELSEWHERE = { why: 'read from the database' }

/**
 * One flow's document in memory, loaded and migrated before anybody joins. A change is sent to the other members at
 * once, and stored with the next append: one append runs at a time, and changes meanwhile go into the next. Other
 * processes are notified after it is stored, and read it from the database. So no process is ahead of the database, and
 * no edit builds on an unstored one of another process.
 */
export async function openRoom(
  context: RoomContext,
  flow: FlowRef,
  onEnd: () => void,
  onRepaired: (repairs: readonly Repair[]) => void = () => {},
): Promise<Room> {
  const { bus, drafts, log, registry } = context
  const db = context.db.forProject(flow.projectId)
  const stored = await loadDocument(db, flow)
  const prepared = await drafts.work(flow.projectId, 'prepare', { parts: stored.parts })
  const doc = new Y.Doc()
  await applyInPieces(doc, prepared.pieces)
  const awareness = new Awareness(doc)
  awareness.setLocalState(null)
  const members = new Map<Member, { received: number; confirmed: number }>()
  const waiting: { resolve: () => void; reject: (error: unknown) => void }[] = []
  let bytes = stored.bytes
  /** the rows after the snapshot that the document contains, and the snapshot's generation */
  let ids = new Set(stored.ids)
  let generation = stored.generation
  let pending: Uint8Array[] = []
  /** the last edit among pending updates; null: all are the server's own */
  let edit: Edit | null = null
  let _storing: Promise<void> | null = null
  let compacting: Promise<void> | null = null
  let ended = false
  let hurry = () => {}
  const isMember = (origin: unknown) => members.has(origin as Member)
  const tell = (news: FlowNews) => bus.publish(flowChannel(flow), encodeNews(news))
  const presence = createPresence(awareness, (update) => tell({ type: 'presence', update }))

  const caps = watchCaps(doc)
  doc.on('update', (update: Uint8Array, origin: unknown) => {
    if (isMember(origin) && caps.broken()) return
    bytes += update.length
    for (const member of members.keys()) member.onUpdate(update)
    if (origin === STORED_ELSEWHERE || origin === soundOrigin) return
    if (origin !== repairOrigin) edit = { by: isMember(origin) ? ((origin as Member).userId ?? null) : null }
    pending.push(update)
    schedule()
  })

  const order = keepInOrder(doc, registry, prepared.repairs, (repairs) => {
    log.warn({ flow: flow.id, repairs }, 'a document was put in order')
    onRepaired(repairs)
  })
  if (prepared.change) {
    pending.push(prepared.change)
    schedule()
  }

  function schedule() {
    _storing ??= store().finally(() => {
      _storing = null
      if (!ended && (pending.length > 0 || waiting.length > 0)) schedule()
    })
  }

  /** Resolves after a moment, or as soon as somebody waits for storage. */
  function gathering(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS)
      hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async function store() {
    // collects concurrent changes: one write per small change would cost more than all else
    if (waiting.length === 0) await gathering()
    const batch = pending
    const edited = edit
    const told = waiting.splice(0)
    const counts = [...members].map(([member, count]) => ({ member, count, frames: count.received }))
    pending = []
    edit = null
    try {
      if (batch.length > 0) {
        const update = batch.length === 1 ? (batch[0] as Uint8Array) : Y.mergeUpdates(batch)
        const id = await appendUpdate(db, flow, update, edited)
        ids.add(id)
        tell({ type: 'stored', id })
      }
    } catch (error) {
      if (isGone(error)) {
        end('gone')
        tell({ type: 'stored', id: null })
        for (const { reject } of told) reject(error)
        return
      }
      log.error({ err: error, flow: flow.id }, 'an update could not be stored')
      pending = [...batch, ...pending]
      edit ??= edited
      for (const { reject } of told) reject(error)
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS).unref())
      return
    }
    for (const { member, count, frames } of counts) {
      if (frames === count.confirmed) continue
      count.confirmed = frames
      member.onSaved(frames)
    }
    for (const { resolve } of told) resolve()
    if (ids.size >= COMPACT_AFTER) compact()
  }

  /** Reads others' stored updates into the document. Rows that it already contains are harmless. */
  const caughtUp = coalesceRuns(async () => {
    if (ended) return
    const news = await readNews(db, flow, ids)
    if (ended) return
    if (!news) return end('gone')
    if (news.generation === generation) return await take(news, news.fresh)
    const whole = await loadDocument(db, flow)
    if (ended) return
    await take(whole, whole.parts)
    bytes = whole.bytes
  })

  async function take(read: ReadMark, parts: Uint8Array[]) {
    const isLarge = parts.reduce((sum, part) => sum + part.length, 0) >= LARGE_BYTES
    const pieces = isLarge ? await drafts.work(flow.projectId, 'split', { parts }) : null
    if (ended) return
    try {
      if (pieces) {
        const applied = () => applyInPieces(doc, pieces, { origin: STORED_ELSEWHERE, isOver: () => ended })
        await order.whileWhole(applied, { sound: false })
      } else
        doc.transact(() => {
          for (const part of parts) Y.applyUpdate(doc, part)
        }, STORED_ELSEWHERE)
    } catch (error) {
      end('retry')
      throw error
    }
    // a row of ours that was appended meanwhile is read again next time
    ids = new Set(read.ids)
    generation = read.generation
  }

  function compact() {
    compacting ??= compactDocument(db, flow, (parts) => drafts.work(flow.projectId, 'fold', { parts }))
      .then((folded) => {
        bytes = folded.bytes
        if (folded.generation === generation) return
        // it may contain others' rows that were not read here
        if (folded.generation !== generation + 1 || !folded.ids.every((id) => ids.has(id))) return catchUp()
        generation = folded.generation
        for (const id of folded.ids) ids.delete(id)
      })
      .catch((error: unknown) => log.error({ err: error, flow: flow.id }, 'a document could not be compacted'))
      .finally(() => {
        compacting = null
      })
  }

  function end(reason: 'gone' | 'retry') {
    if (ended) return
    ended = true
    unsubscribe()
    order.stop()
    for (const member of [...members.keys()]) member.onEnd(reason)
    members.clear()
    for (const { reject } of waiting.splice(0)) reject(new Error('The room has ended.'))
    awareness.destroy()
    doc.destroy()
    onEnd()
  }

  const unsubscribe = bus.subscribe(flowChannel(flow), {
    hear(message, from) {
      const news = decodeNews(message)
      if (news?.type === 'presence') presence.hear(news.update, from)
      if (news?.type === 'stored' && !(news.id && ids.has(news.id))) catchUp()
      if (news?.type !== 'whoIsThere') return
      const update = presence.here()
      if (update) tell({ type: 'presence', update })
      // a process that was cut off could not announce what it stored
      catchUp()
    },
    look() {
      tell({ type: 'whoIsThere' })
      return caughtUp()
    },
    lose: presence.lose,
  })

  function catchUp() {
    caughtUp().catch((error: unknown) =>
      log.warn({ err: error, flow: flow.id }, 'what others stored could not be read'),
    )
  }

  const flushed = () => {
    if (ended) return Promise.reject(new Error('The room has ended.'))
    return new Promise<void>((resolve, reject) => {
      waiting.push({ resolve, reject })
      hurry()
      schedule()
    })
  }

  return {
    doc,
    awareness,
    presence,
    get bytes() {
      return bytes
    },
    join(member) {
      members.set(member, { received: 0, confirmed: 0 })
      order.joined()
      return () => members.delete(member)
    },
    write(member, update) {
      // throws for an invalid update before any of it is applied
      const foreseen = caps.foresee(update)
      if (foreseen) {
        members.delete(member)
        return foreseen
      }
      try {
        Y.applyUpdate(doc, update, member)
      } catch (error) {
        // half of it may be applied: members reload the stored state, which is valid
        end('retry')
        throw error
      }
      const broken = caps.broken()
      if (broken) {
        members.delete(member)
        // it is applied and can't be removed: members reload the stored state
        end('retry')
        return broken
      }
      const count = members.get(member)
      if (count) count.received += 1
      // Yjs announces no update whose dependencies are missing; it is stored anyway
      if (doc.store.pendingStructs || doc.store.pendingDs) pending.push(update)
      schedule()
      return null
    },
    async takeWhole({ update, pieces, edit: whose }) {
      if (ended) throw new Error('The room has ended.')
      const id = await appendUpdate(db, flow, update, whose).catch((error: unknown) => {
        if (isGone(error)) end('gone')
        throw error
      })
      ids.add(id)
      try {
        await order.whileWhole(() => applyInPieces(doc, pieces, { origin: soundOrigin, isOver: () => ended }), {
          sound: true,
        })
      } catch (error) {
        end('retry')
        throw error
      }
      tell({ type: 'stored', id })
    },
    flushed,
    caughtUp,
    async close() {
      if (ended) return
      await flushed().catch(() => {})
      end('retry')
      await compacting
    },
    async retire(isEmpty) {
      const stored = await flushed().then(
        () => pending.length === 0,
        () => ended,
      )
      if (!stored || !isEmpty()) return false
      end('retry')
      if (ids.size >= TIDY_AFTER) compact()
      await compacting
      return true
    },
  }
}

const isGone = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === '23503'
