import { createProgram, type Program } from '../../engine/run/program'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import { trainClassifier } from './trainClassifier'

const KEPT = 200

/** Chatbots' frozen flows, prepared for running, by version; the most recently used are kept. A version never changes. */
export function createPrograms(
  { db, registry }: Pick<ServerContext, 'db' | 'registry'>,
  { asksMeaning = false }: { asksMeaning?: boolean } = {},
) {
  const programs = new Map<string, { loading: Promise<Program>; program: Program | null }>()

  async function load(projectId: string, versionId: string): Promise<Program> {
    const row = await db
      .selectFrom('flow_versions')
      .select(['flow', 'flows'])
      .where('id', '=', versionId)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    const classify = await trainClassifier([row.flow, ...Object.values(row.flows)], registry)
    return createProgram(row.flow, registry, { flows: row.flows, classify, asksMeaning })
  }

  function keep(key: string, entry: { loading: Promise<Program>; program: Program | null }): void {
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
        entry.program = await entry.loading
        return entry.program
      } catch (error) {
        if (programs.get(key) === entry) programs.delete(key)
        throw error
      }
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

const keyOf = (projectId: string, versionId: string): string => `${projectId}/${versionId}`
