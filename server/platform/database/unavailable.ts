import pg from 'pg'

/** Thrown when no answer comes from the database: no connection to it, none free in time, or one that broke. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** What the driver says about connections; what the server itself refuses comes as a `pg.DatabaseError`. */
const OF_CONNECTION =
  /^Connection terminated|^timeout expired|timeout exceeded when trying to connect|not queryable|after calling end on the pool/

/** The failure of a connection as ours, with the original as its cause; any other failure as it is. */
export function explainConnection(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof pg.DatabaseError) return thrown
  const broken = 'syscall' in thrown || OF_CONNECTION.test(thrown.message)
  return broken ? new DatabaseUnavailable(thrown.message, { cause: thrown }) : thrown
}
