import { Socket } from 'node:net'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Commits } from './commits'

/** The text of `thenCommit`. */
export const THEN_COMMIT = '/* then commit */'

/**
 * Marks the last statement of a transaction (`modifyEnd(thenCommit)`): its commit is sent along with it, which saves
 * waiting for its answer. If the statement fails, that commit is a rollback.
 */
export const thenCommit = sql.raw(THEN_COMMIT)

type Answer = Pick<pg.QueryResult, 'command' | 'rowCount' | 'rows'>

/** The answer to what is sent later, with a statement, or was sent before. */
const NOTHING: Answer = { command: '', rowCount: 0, rows: [] }

/**
 * Runs a connection's statements with fewer round trips: `begin` is sent with the statement after it, and the commit
 * with one that is marked by `thenCommit`. A transaction without statements sends nothing.
 * @param send sends a statement without waiting for the answers to earlier ones; answers come in order
 * @param done called after each statement that succeeded
 * @returns runs a statement. It throws if one follows the marked one in a transaction
 */
export function createPipeline(
  send: (text: string, values: readonly unknown[]) => Promise<Answer>,
  done: ReturnType<Commits['follow']>,
): (text: string, values: readonly unknown[]) => Promise<Answer> {
  /** begun by the caller, and not yet at the server */
  let beginning = false
  /** ended at the server, and not yet by the caller */
  let ended = false

  return async (text, values) => {
    if (text === 'begin' || ((beginning || ended) && (text === 'commit' || text === 'rollback'))) {
      beginning = text === 'begin'
      ended = false
      done(text, values)
      return NOTHING
    }
    if (ended) throw new Error('A statement follows the one with which its transaction was committed.')
    const begun = beginning ? send('begin', []) : NOTHING
    const answered = send(text, values)
    ended = text.endsWith(THEN_COMMIT)
    const committed = ended ? send('commit', []) : NOTHING
    beginning = false
    // each is answered before the connection may go to others
    const answers = await Promise.allSettled([begun, answered, committed])
    for (const answer of answers) if (answer.status === 'rejected') throw answer.reason
    done(text, values)
    if (ended) done('commit', [])
    return answered
  }
}

/** Sends in one system call what is written in one tick: a write costs more than most statements. */
export class GatheringSocket extends Socket {
  override uncork(): void {
    process.nextTick(() => super.uncork())
  }
}
