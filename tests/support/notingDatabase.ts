import { type Kysely, PostgresQueryCompiler } from 'kysely'
import type { ProjectDb, RootDb } from '../../server/platform/database/database'
import type { Database } from '../../server/platform/database/tables'

/**
 * The database, which notes each statement by what it does: of the handle that sees all, and of projects', in and
 * outside of transactions.
 */
export function notingDatabase(db: RootDb, statements: string[]): RootDb {
  const compiler = new PostgresQueryCompiler()
  const noted = (handle: Kysely<Database>) =>
    handle.withPlugin({
      transformQuery({ node, queryId }) {
        statements.push(nameOf(compiler.compileQuery(node, queryId).sql))
        return node
      },
      transformResult: async ({ result }) => result,
    })
  return Object.assign(noted(db), {
    forProject: (id: string) => noted(db.forProject(id)) as ProjectDb,
    afterInsert: db.afterInsert,
    connections: db.connections,
  })
}

/** A statement by its verb and table; one with parts (`with`) by its last, one about a lock by that. */
function nameOf(statement: string): string {
  const lock = /pg_\w*advisory_\w+/.exec(statement)?.[0]
  const changed = [...statement.matchAll(/\b(insert into|update|delete from) "(\w+)"/g)].at(-1)
  return lock ?? (changed ? `${changed[1]} ${changed[2]}` : `select ${/\bfrom "?(\w+)/.exec(statement)?.[1]}`)
}
