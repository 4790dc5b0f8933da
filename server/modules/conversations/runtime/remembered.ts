import { ApiError } from '../../../platform/errors'
import type { Conversation, SavedRow } from './rows'

/**
 * Conversations as their last turns here have stored them, so that the next turn need not read them.
 *
 * Optimistic locking: such a row is not locked. The statement that stores the turn locks it first, if nobody has
 * written it since, and stores nothing otherwise (`Guard`); then the turn starts again on the row that is read and
 * locked. What a turn does beside that one statement needs the lock before (`wantLocked`).
 */
export interface Remembered<Row extends Conversation> {
  keep(key: string, row: Row, version: string): void
  /** Takes it out: a turn that fails must read. */
  take(key: string): { row: Row; version: string } | undefined
}

/** Each with a session of at most that many characters: 16 MB in all. */
const MOST = 1_000
const LONGEST = 8_000

/** @param most how many; the one that was kept first gives way */
export function createRemembered<Row extends Conversation>(most = MOST): Remembered<Row> {
  const rows = new Map<string, { row: Row; session: string; version: string }>()
  return {
    keep(key, row, version) {
      rows.delete(key)
      if (!isPlain(row) || version === '') return
      const session = JSON.stringify(row.session)
      if (session.length > LONGEST) return
      rows.set(key, { row, session, version })
      const [oldest] = rows.keys()
      if (rows.size > most && oldest !== undefined) rows.delete(oldest)
    },
    take(key) {
      const known = rows.get(key)
      rows.delete(key)
      // as the database would give it: what the last turn returned is shared with its caller
      return known && { row: { ...known.row, session: JSON.parse(known.session) }, version: known.version }
    },
  }
}

/** Whether the next reply is likely to be stored by one statement: its question has no timer, and is no survey's. */
function isPlain({ status, state, session: { request } }: SavedRow['row']): boolean {
  if (status !== 'bot' || state !== 'waiting' || !request) return false
  return request.timeout === undefined && request.input !== 'rating' && !('survey' in request && request.survey)
}

/**
 * Before a statement that only who has locked the row may send.
 * @throws ApiError conflict if it is not locked: the turn is tried again with the lock
 */
export function wantLocked(row: Conversation): void {
  if (row.guard) throw new ApiError('conflict')
}
