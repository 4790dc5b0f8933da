import { sql } from 'kysely'
import { createClassifier } from '../../engine/intents/createClassifier'
import type { IntentModel } from '../../engine/intents/trainIntents'
import { createProgramInSteps, type Program } from '../../engine/run/program'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import { inSlices } from './inSlices'
import { learnIntents } from './trainClassifier'
import type { ProgramSource } from './turnThreads'

const KEPT = 200

/** Chatbots' frozen flows, prepared for running, by version; the most recently used are kept. A version never changes. */
export function createPrograms(
  { db, registry }: Pick<ServerContext, 'db' | 'registry'>,
  { asksMeaning = false }: { asksMeaning?: boolean } = {},
) {
  const programs = new Map<string, Entry>()

  async function load(projectId: string, versionId: string): Promise<Loaded> {
    const row = await db
      .selectFrom('flow_versions')
      .select(['flow', 'flows'])
      .where('id', '=', versionId)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const model = await learnIntents([row.flow, ...Object.values(row.flows)], registry)
    const classify = model && createClassifier(model)
    const steps = createProgramInSteps(row.flow, registry, { flows: row.flows, classify, asksMeaning })
    return { program: await inSlices(steps), model }
  }

  function keep(key: string, entry: Entry): void {
    programs.delete(key)
    programs.set(key, entry)
    const oldest = programs.keys().next().value
    if (programs.size > KEPT && oldest !== undefined) programs.delete(oldest)
  }

  return {
    /**
     * Not to be awaited in a transaction: it may take seconds (intents are learned), and wants a connection, which it never gets once
     * all are in transactions that wait for it.
     * @throws ApiError not_found
     */
    async get(projectId: string, versionId: string): Promise<Program> {
      const key = keyOf(projectId, versionId)
      const entry = programs.get(key) ?? { loading: load(projectId, versionId), program: null }
      keep(key, entry)
      try {
        entry.program = (await entry.loading).program
        return entry.program
      } catch (error) {
        if (programs.get(key) === entry) programs.delete(key)
        throw error
      }
    },

    /** The version as a thread takes it: as texts, which are read there. Not to be awaited in a transaction either. */
    async source(projectId: string, versionId: string): Promise<ProgramSource> {
      await this.get(projectId, versionId)
      const entry = programs.get(keyOf(projectId, versionId))
      const row = await db
        .selectFrom('flow_versions')
        .select([sql<string>`flow::text`.as('flow'), sql<string>`flows::text`.as('flows')])
        .where('id', '=', versionId)
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      if (!row) throw new ApiError('not_found')
      return { ...row, model: (await entry?.loading)?.model ?? null, asksMeaning }
    },

    /** The program if it is at hand. */
    present(projectId: string, versionId: string): Program | null {
      const key = keyOf(projectId, versionId)
      const entry = programs.get(key)
      if (entry) keep(key, entry)
      return entry?.program ?? null
    },
  }
}

interface Loaded {
  program: Program
  /** what its intents have learnt */
  model: IntentModel | null
}
interface Entry {
  loading: Promise<Loaded>
  program: Program | null
}

const keyOf = (projectId: string, versionId: string): string => `${projectId}/${versionId}`
