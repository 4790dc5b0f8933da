import {
  type CompiledQuery,
  type Kysely,
  PostgresQueryCompiler,
  type Transaction,
  type TransactionBuilder,
} from 'kysely'
import type { ProjectDb, RootDb } from '../../server/platform/database/database'
import type { Database } from '../../server/platform/database/tables'

/**
 * The database, which notes each statement by what it does: of the handle that sees all, and of projects', in and
 * outside of transactions.
 */
export function notingDatabase(db: RootDb, statements: string[]): RootDb {
  const compiler = new PostgresQueryCompiler()
  const note = (text: string) => statements.push(nameOf(text))
  const noted = (handle: Kysely<Database>) => {
    const plugged = handle.withPlugin({
      transformQuery({ node, queryId }) {
        note(compiler.compileQuery(node, queryId).sql)
        return node
      },
      transformResult: async ({ result }) => result,
    })
    return Object.assign(plugged, {
      transaction: () => {
        const builder = Object.getPrototypeOf(plugged).transaction.call(plugged) as TransactionBuilder<Database>
        const execute: typeof builder.execute = (work) => builder.execute((trx) => work(notingTexts(trx)))
        return { execute }
      },
    })
  }
  /** Statements that are made as text pass no plugin. */
  const notingTexts = (trx: Transaction<Database>): Transaction<Database> => {
    const execute = trx.executeQuery.bind(trx)
    const executeQuery = ((query: CompiledQuery, id) => {
      note(query.sql)
      return execute(query, id)
    }) as typeof trx.executeQuery
    return Object.assign(trx, { executeQuery })
  }
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
