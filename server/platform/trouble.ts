import { DatabaseUnavailable } from './database/unavailable'

/** Failures of the machine, not of a call: the database is unavailable, a disk is full, files can't be opened. */
export type Trouble = 'database' | 'disk' | 'descriptors'

/**
 * PostgreSQL's error codes: connection exceptions (08), insufficient resources (53), server stopping or starting (57P01
 * to 57P03), system errors such as of files (58).
 */
const DATABASE_CODES = /^(08...|53...|57P0[123]|58...)$/
const DISK_CODES = /^(53100|ENOSPC|EDQUOT)$/
const DESCRIPTOR_CODES = /^(EMFILE|ENFILE)$/
/** Kysely's message for a closed pool: the process is stopping. */
const CLOSED = 'driver has already been destroyed'
/** Causes may be nested, and even circular in foreign code. */
const DEPTH = 5

/** @returns the trouble that an error or one of its causes is; null for any other error */
export function troubleOf(thrown: unknown): Trouble | null {
  let error = thrown
  for (let depth = 0; depth < DEPTH && error instanceof Error; depth++) {
    const trouble = ownTrouble(error)
    if (trouble) return trouble
    error = error.cause
  }
  return null
}

function ownTrouble(error: Error): Trouble | null {
  if (error instanceof DatabaseUnavailable || error.message === CLOSED) return 'database'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (DISK_CODES.test(code)) return 'disk'
  if (DESCRIPTOR_CODES.test(code)) return 'descriptors'
  return DATABASE_CODES.test(code) ? 'database' : null
}
