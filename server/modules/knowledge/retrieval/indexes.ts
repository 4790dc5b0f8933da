import { totalmem } from 'node:os'
import { sql } from 'kysely'
import type { Db, RootDb } from '../../../platform/database/database'
import { averagesOf } from './impacts'
import { buildIndex, type LexicalIndex, type Record } from './lexicalIndex'
import { TOKENS_HEAD } from './tokens'
import { loadVectors, type VectorIndex } from './vectorIndex'

/** Whose chunks are searched, as they are now. */
export interface Base {
  projectId: string
  chatbotId: string
  /** `chatbots.knowledge_version` */
  version: string
}
/** What is in memory of a chatbot's chunks. */
export interface Loaded {
  lexical: LexicalIndex
  /** null: no embedder, or not every chunk has its vector yet */
  vectors: VectorIndex | null
  /** chunks wait for a vector of the model that was asked for */
  lacksVectors: boolean
}
export interface Indexes {
  /**
   * The index of a chatbot. One that is out of date is given while the new one takes long to build.
   * @param model of embeddings; null: words alone @param fresh waits for the new one, however long it takes
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

/** ms that a question waits for a new index before the old one answers. */
const PATIENCE = 300
/** A chatbot in training changes at every source: between two builds there are pauses of so many times their length. */
const PAUSE = 3
const PAGE = 500
const BUDGET = Math.min(totalmem() / 4, 2 ** 30)

/** Indexes of the chatbots that were asked last, built from their records when they are first needed. */
export function createIndexes(db: RootDb, { budget = BUDGET, patience = PATIENCE } = {}): Indexes {
  /** the one that was used last is last */
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
    // who waits for it hears of it; a build that nobody waits for any more must not end the process
    done.catch(() => {})
    entry.building = { mark, done }
    return done
  }

  /** Those that were used longest ago go first; the one in use stays, however large. */
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
      // what is being built may be out of date itself
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
