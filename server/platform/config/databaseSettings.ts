import { z } from 'zod'

/** In ms; 0: no limit. */
export interface DatabaseTimeouts {
  /** how long a statement may take */
  statement: number
  /** how long a transaction may wait for its next statement: it holds locks meanwhile */
  idleTransaction: number
}

const seconds = (standard: string) =>
  z
    .string()
    .default(standard)
    .refine((text) => /^\d{1,5}$/.test(text), 'give a whole number of seconds (0 lifts the limit)')
    .transform((text) => Number(text) * 1_000)

/** The variables about time in the database, for the table of all settings. */
export const databaseVariables = {
  STATEMENT_SECONDS: seconds('120'),
  IDLE_TRANSACTION_SECONDS: seconds('120'),
} as const

export const readDatabaseTimeouts = (given: z.output<z.ZodObject<typeof databaseVariables>>): DatabaseTimeouts => ({
  statement: given.STATEMENT_SECONDS,
  idleTransaction: given.IDLE_TRANSACTION_SECONDS,
})
