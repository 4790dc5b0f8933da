import { totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Db, RootDb } from '../../../platform/database/database'
import { type Averages, averagesOf } from './impacts'
import { buildIndex, type LexicalIndex, type Record } from './lexicalIndex'
import { TOKENS_HEAD } from './tokens'
import { updateIndex } from './updateIndex'
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
  /** how it was built: the lengths of fields, and the number of chunks, when these were measured */
  measured: { averages: Averages; builtSize: number }
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

/** ms that a question waits for a new index before the old one is used. */
const PATIENCE = 300
/** A chatbot in training changes with every source: pauses between two builds last this many times their duration. */
const PAUSE = 3
const PAGE = 500
const BUDGET = Math.min(totalmem() / 4, 2 ** 30)

/** Indexes of the most recently used chatbots, built from their records on demand. */
export function createIndexes(db: RootDb, { budget = BUDGET, patience = PATIENCE } = {}): Indexes {
  /** in order of use, most recent last */
  const entries = new Map<string, Entry>()
  let bytes = 0

  function build(entry: Entry, base: Base, model: string | null, mark: string): Promise<Loaded> {
    const began = performance.now()
    const done = load(db.forProject(base.projectId), base, model, entry.loaded)
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

async function load(db: Db, base: Base, model: string | null, old: Loaded | null): Promise<Loaded> {
  const { lexical, measured } = (old && (await updated(db, base, old))) ?? (await built(db, base))
  if (model === null || lexical.size === 0) return { lexical, measured, vectors: null, lacksVectors: false }
  const vectors = await loadVectors(db, base, model)
  const lacksVectors = vectors.size < lexical.size
  return { lexical, measured, vectors: lacksVectors ? null : vectors, lacksVectors }
}

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

/** The index with what changed; null: it is better built anew. */
async function updated(db: Db, base: Base, { lexical: old, measured }: Loaded): Promise<Lexical | null> {
  if (old.size === 0) return null
  const rows = await db
    .selectFrom('knowledge_chunks')
    .select(['id', STAMP])
    .where('project_id', '=', base.projectId)
    .where('chatbot_id', '=', base.chatbotId)
    .execute()
  const present = {
    ids: Float64Array.from(rows, ({ id }) => Number(id)),
    stamps: Uint32Array.from(rows, ({ stamp }) => Number(stamp)),
  }
  const lexical = await updateIndex(old, present, measured, (ids) => recordsOf(db, base, ids))
  return lexical && { lexical, measured }
}

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
