import { createProgram, type Program } from '../../engine/run/program'
import type { ServerContext } from '../context'
import { ApiError } from '../errors'
import type { Db } from '../storage/database'
import type { Work } from './rows'

const KEPT = 200

/** Published flows, prepared for running, by version; the most recently used are kept. A version never changes. */
export function createPrograms({ registry }: Pick<ServerContext, 'registry'>) {
  const programs = new Map<string, Promise<Program>>()

  async function load(db: Db | Work, projectId: string, versionId: string): Promise<Program> {
    const row = await db
      .selectFrom('flow_versions')
      .select('flow')
      .where('id', '=', versionId)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return createProgram(row.flow, registry)
  }

  return {
    /**
     * @param db the caller's transaction where there is one: to wait for another connection inside it is to wait for ever once
     * every connection is in a transaction that does so
     * @throws ApiError not_found
     */
    get(db: Db | Work, projectId: string, versionId: string): Promise<Program> {
      const key = `${projectId}/${versionId}`
      const program = programs.get(key) ?? load(db, projectId, versionId)
      programs.delete(key)
      programs.set(key, program)
      program.catch(() => programs.delete(key))
      const oldest = programs.keys().next().value
      if (programs.size > KEPT && oldest !== undefined) programs.delete(oldest)
      return program
    },
  }
}
