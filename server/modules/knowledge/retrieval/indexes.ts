import { totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Db, RootDb } from '../../../platform/database/database'
import { averagesOf } from './impacts'
import { buildIndex, type LexicalIndex, type Record } from './lexicalIndex'
import { TOKENS_HEAD } from './tokens'
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
    const done = load(db.forProject(base.projectId), base, model)
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

async function load(db: Db, base: Base, model: string | null): Promise<Loaded> {
  const heads = await db
    .selectFrom('knowledge_chunks')
    .select(sql<Buffer>`substring(tokens from 1 for ${sql.lit(TOKENS_HEAD)})`.as('head'))
    .where('project_id', '=', base.projectId)
    .where('chatbot_id', '=', base.chatbotId)
    .execute()
  const lexical = await buildIndex(records(db, base), averagesOf(heads.map(({ head }) => head)))
  if (model === null || lexical.size === 0) return { lexical, vectors: null, lacksVectors: false }
  const vectors = await loadVectors(db, base, model)
  const lacksVectors = vectors.size < lexical.size
  return { lexical, vectors: lacksVectors ? null : vectors, lacksVectors }
}

async function* records(db: Db, { projectId, chatbotId }: Base): AsyncIterable<Record> {
  for (let after = '0'; ; ) {
    const rows = await db
      .selectFrom('knowledge_chunks')
      .select(['id', 'tokens'])
      .where('project_id', '=', projectId)
      .where('chatbot_id', '=', chatbotId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const { id, tokens } of rows) yield { id: Number(id), tokens }
    const last = rows.at(-1)
    if (!last || rows.length < PAGE) return
    after = last.id
  }
}
