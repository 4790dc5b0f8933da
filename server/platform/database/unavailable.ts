import pg from 'pg'

/** Thrown when the database does not answer: no connection, none free in time, or a broken one. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable'
}

/** The driver's messages about connections; errors of the server itself are a `pg.DatabaseError`. */
const OF_CONNECTION =
  /^Connection terminated|^timeout expired|timeout exceeded when trying to connect|not queryable|after calling end on the pool/

/**
 * Converts a connection failure to DatabaseUnavailable, with the original as its cause; returns other errors unchanged.
 */
export function explainConnection(thrown: unknown): unknown {
  if (!(thrown instanceof Error) || thrown instanceof pg.DatabaseError) return thrown
  const broken = 'syscall' in thrown || OF_CONNECTION.test(thrown.message)
  return broken ? new DatabaseUnavailable(thrown.message, { cause: thrown }) : thrown
}
