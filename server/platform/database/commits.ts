import type { Database } from './tables'

/** Told the parameters of a statement. */
type Listener = (parameters: readonly unknown[]) => void

/** Who is told of what this process commits, by the table that is written to. */
export type Commits = ReturnType<typeof createCommits>

/**
 * Tells what was inserted, once it is committed: whoever waits for rows need not be told by each command that writes them. Statements
 * are known by their text, on the connection's own way to the server, so that none is passed over; a row of another process is not seen.
 */
export function createCommits() {
  const listeners = new Map<string, Set<Listener>>()

  return {
    /** Calls `listener` after the commit of each statement that inserts into `table`. @returns stops that */
    afterInsert(table: keyof Database, listener: Listener): () => void {
      const clause = `insert into "${table}"`
      const those = listeners.get(clause) ?? new Set()
      listeners.set(clause, those.add(listener))
      return () => void those.delete(listener)
    },

    /** Follows a connection while somebody has it. @returns what is to be told of each statement that has succeeded */
    follow(): (text: string, parameters: readonly unknown[]) => void {
      let inTransaction = false
      let uncommitted: (() => void)[] = []
      return (text, parameters) => {
        if (text === 'begin' || text.startsWith('start transaction')) inTransaction = true
        else if (text === 'commit' || text === 'rollback') {
          const told = text === 'commit' ? uncommitted : []
          inTransaction = false
          uncommitted = []
          for (const tell of told) tell()
        } else
          for (const [clause, those] of listeners) {
            if (those.size === 0 || !text.includes(clause)) continue
            const tell = () => {
              for (const listener of those) listener(parameters)
            }
            if (inTransaction) uncommitted.push(tell)
            else tell()
          }
      }
    },
  }
}
