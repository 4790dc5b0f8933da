import { totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Db, RootDb } from '../../../platform/database/database'
import { averagesOf } from './impacts'
import type { IndexFiles } from './indexFiles'
import { buildIndex, type LexicalIndex, type Record } from './lexicalIndex'
import type { Measured } from './segmentFile'
import { TOKENS_HEAD } from './tokens'
import { type Present, updateIndex } from './updateIndex'
import { loadVectors, type VectorIndex } from './vectorIndex'

/** Whose chunks are searched, in their present version. */
export interface Base {
  projectId: string
  chatbotId: string
  /** `chatbots.knowledge_version` */
  version: string
}
/** A chatbot's index in memory. */
export interface Loaded {
  lexical: LexicalIndex
  /** how it was built */
  measured: Measured
  /** null: no embedder, or some chunks have no vector yet */
  vectors: VectorIndex | null
  /** whether chunks lack a vector of the requested model */
  lacksVectors: boolean
}
export interface Indexes {
  /**
   * A chatbot's index. An outdated one is returned while the new one takes long to build.
   * @param model of embeddings; null: words only @param fresh waits for the new one, however long it takes
   */
  get(base: Base, model: string | null, fresh?: boolean): Promise<Loaded>
  /** bytes in memory */
  readonly bytes: number
  /** how often an index was made of all records: neither of what was in memory nor of files */
  readonly builds: number
  /** Waits until all that was made is in files. */
  written(): Promise<void>
}

interface IndexesOptions {
  /** bytes in memory of all indexes; default: a quarter of the memory, 1 GB at most */
  budget?: number
  /** ms that a question waits for a new index before the old one is used */
  patience?: number
  /** where indexes are kept between two starts; null: nowhere */
  files?: IndexFiles | null
}

interface Entry {
  /** version and model */
  mark: string
  loaded: Loaded | null
  bytes: number
  building: { mark: string; done: Promise<Loaded> } | null
  /** ms, on the process's own clock */
  notBefore: number
}

const PATIENCE = 300
/** A chatbot in training changes with every source: pauses between two builds last this many times their duration. */
const PAUSE = 3
const PAGE = 500
const BUDGET = Math.min(totalmem() / 4, 2 ** 30)

/** Indexes of the most recently used chatbots, read from files or built from their records on demand. */
export function createIndexes(
  db: RootDb,
  { budget = BUDGET, patience = PATIENCE, files = null }: IndexesOptions = {},
): Indexes {
  /** in order of use, most recent last */
  const entries = new Map<string, Entry>()
  let bytes = 0
  let builds = 0
  let writing: Promise<unknown> = Promise.resolve()

  /** Writes behind what asks: a full disk is no reason to wait, and the next start finds less. */
  function keep(base: Base, { lexical, measured }: Lexical): Promise<unknown> {
    writing = writing.then(() => files?.write(base, lexical, measured)).catch(() => undefined)
    return writing
  }

  async function load(base: Base, model: string | null, old: Loaded | null): Promise<Loaded> {
    const project = db.forProject(base.projectId)
    const { lexical, measured } = await loadLexical(project, base, old)
    if (model === null || lexical.size === 0) return { lexical, measured, vectors: null, lacksVectors: false }
    const vectors = await loadVectors(project, base, model)
    const lacksVectors = vectors.size < lexical.size
    return { lexical, measured, vectors: lacksVectors ? null : vectors, lacksVectors }
  }

  /** Of what is in memory, else in files, else made of all records: by one process of a machine while others wait. */
  async function loadLexical(project: Db, base: Base, old: Loaded | null): Promise<Lexical> {
    // of what is in memory, files know nothing that counts, unless it is of no use any more
    const reading = old ? null : files?.read(base)
    let present = await presentOf(project, base)
    const refresh = async (known: Lexical | null) => {
      const made = known && (await updated(project, base, known, present))
      if (made && made.lexical !== known.lexical) keep(base, made)
      return made
    }
    const ownFiles = files && present.ids.length >= files.least ? files : null
    const known = (await refresh(old)) ?? (ownFiles && (await refresh(await (reading ?? ownFiles.read(base)))))
    if (known) return known
    const claim = ownFiles && (await ownFiles.claim(base))
    try {
      if (ownFiles && claim?.waited) {
        present = await presentOf(project, base)
        const others = await refresh(await ownFiles.read(base))
        if (others) {
          await claim.release()
          return others
        }
      }
      const made = await built(project, base)
      builds++
      keep(base, made).then(() => claim?.release())
      return made
    } catch (error) {
      await claim?.release()
      throw error
    }
  }

  function build(entry: Entry, base: Base, model: string | null, mark: string): Promise<Loaded> {
    const began = performance.now()
    const done = load(base, model, entry.loaded)
      .then((loaded) => {
        bytes -= entry.bytes
        entry.loaded = loaded
        entry.mark = mark
        entry.bytes = loaded.lexical.bytes + (loaded.vectors?.bytes ?? 0)
        bytes += entry.bytes
        const now = performance.now()
        entry.notBefore = now + PAUSE * (now - began)
        evict(entry)
        return loaded
      })
      .finally(() => {
        entry.building = null
      })
    // waiters get the error; a build without waiters must not end the process
    done.catch(() => {})
    entry.building = { mark, done }
    return done
  }

  /** Evicts the least recently used ones; the present one stays, however large. */
  function evict(used: Entry): void {
    for (const [key, entry] of entries) {
      if (bytes <= budget) return
      if (entry === used || entry.building) continue
      entries.delete(key)
      bytes -= entry.bytes
    }
  }

  return {
    get bytes() {
      return bytes
    },
    get builds() {
      return builds
    },
    async written() {
      await writing
    },
    async get(base, model, fresh = false) {
      const entry = entries.get(base.chatbotId) ?? { mark: '', loaded: null, bytes: 0, building: null, notBefore: 0 }
      entries.delete(base.chatbotId)
      entries.set(base.chatbotId, entry)
      const mark = `${base.version} ${model ?? ''}`
      if (entry.loaded && entry.mark === mark) return entry.loaded
      // the index being built may be outdated itself
      if (fresh) {
        while (entry.building && entry.building.mark !== mark) await entry.building.done.catch(() => {})
        if (entry.loaded && entry.mark === mark) return entry.loaded
        return entry.building?.done ?? build(entry, base, model, mark)
      }
      const old = entry.loaded
      if (!old) return entry.building?.done ?? build(entry, base, model, mark)
      if (!entry.building && performance.now() < entry.notBefore) return old
      const next = entry.building?.done ?? build(entry, base, model, mark)
      return Promise.race([next, pause(patience).then(() => old)])
    },
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

type Lexical = Pick<Loaded, 'lexical' | 'measured'>

async function built(db: Db, base: Base): Promise<Lexical> {
  const heads = await db
    .selectFrom('knowledge_chunks')
    .select(sql<Buffer>`substring(tokens from 1 for ${sql.lit(TOKENS_HEAD)})`.as('head'))
    .where('project_id', '=', base.projectId)
    .where('chatbot_id', '=', base.chatbotId)
    .execute()
  const averages = averagesOf(heads.map(({ head }) => head))
  const lexical = await buildIndex(records(db, base), averages)
  return { lexical, measured: { averages, builtSize: lexical.size } }
}

/** The index with what changed, the same if nothing did; null: it is better built anew. */
async function updated(db: Db, base: Base, known: Lexical, present: Present): Promise<Lexical | null> {
  const { lexical: old, measured } = known
  if (old.size === 0) return null
  const lexical = await updateIndex(old, present, measured, (ids) => recordsOf(db, base, ids))
  return lexical && { lexical, measured }
}

/** Chunks whose numbers come in one answer. */
const NUMBERS = 50_000

/** The chunks that are there: their numbers come as bytes, since rows of 10^5 of them would hold the event loop. */
async function presentOf(db: Db, { projectId, chatbotId }: Base): Promise<Present> {
  const pages: Buffer[] = []
  for (let after = 0, read = NUMBERS; read === NUMBERS; ) {
    const { rows } = await sql<{ numbers: Buffer | null }>`
      select string_agg(int8send(id) || xidsend(stamp), ''::bytea order by id) as numbers
      from (
        select id, xmin as stamp from knowledge_chunks
        where project_id = ${projectId} and chatbot_id = ${chatbotId} and id > ${after} order by id limit ${NUMBERS}
      ) as page`.execute(db)
    const page = rows[0]?.numbers ?? Buffer.alloc(0)
    pages.push(page)
    read = page.length / NUMBER
    if (read > 0) after = Number(page.readBigInt64BE(page.length - NUMBER))
  }
  const size = pages.reduce((sum, { length }) => sum + length / NUMBER, 0)
  const present: Present = { ids: new Float64Array(size), stamps: new Uint32Array(size) }
  let at = 0
  for (const page of pages)
    for (let place = 0; place < page.length; place += NUMBER) {
      present.ids[at] = page.readUInt32BE(place) * 2 ** 32 + page.readUInt32BE(place + 4)
      present.stamps[at++] = page.readUInt32BE(place + 8)
    }
  return present
}

/** Bytes of a chunk's id and its stamp. */
const NUMBER = 12

/** The transaction that wrote a row: an update of a chunk gives it another one. */
const STAMP = sql<string>`xmin::text`.as('stamp')

async function* recordsOf(db: Db, { projectId, chatbotId }: Base, ids: readonly number[]): AsyncIterable<Record> {
  for (let at = 0; at < ids.length; at += PAGE) {
    const rows = await db
      .selectFrom('knowledge_chunks')
      .select(['id', STAMP, 'tokens'])
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('id', 'in', ids.slice(at, at + PAGE).map(String))
      .orderBy('id')
      .execute()
    for (const { id, stamp, tokens } of rows) yield { id: Number(id), stamp: Number(stamp), tokens }
  }
}

async function* records(db: Db, { projectId, chatbotId }: Base): AsyncIterable<Record> {
  for (let after = '0'; ; ) {
    const rows = await db
      .selectFrom('knowledge_chunks')
      .select(['id', STAMP, 'tokens'])
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, stamp, tokens } of rows) yield { id: Number(id), stamp: Number(stamp), tokens }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
