import type { Database } from './tables'

/** Called with the parameters of a statement. */
type Listener = (parameters: readonly unknown[]) => void

/** Listeners to commits of this process, by the table that is written. */
export type Commits = ReturnType<typeof createCommits>

/**
 * Notifies of inserted rows after their commit, so that not every command that writes rows must notify whoever waits
 * for them. It recognizes statements by their text, on the connection itself, so that none is missed; rows written by
 * other processes are not noticed.
 */
export function createCommits() {
  const listeners = new Map<string, Set<Listener>>()

  return {
    /** Calls `listener` after the commit of each statement that inserts into `table`. @returns unsubscribe */
    afterInsert(table: keyof Database, listener: Listener): () => void {
      const clause = `insert into "${table}"`
      const those = listeners.get(clause) ?? new Set()
      listeners.set(clause, those.add(listener))
      return () => void those.delete(listener)
    },

    /** Tracks a connection while it is checked out. @returns a function to call after each statement that succeeded */
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
