import type { ColumnType, Generated } from 'kysely'

/** The driver gives text, and takes numbers. */
type Decimal = ColumnType<string, number, number>

declare module '../../platform/database/tables' {
  interface Database {
    credit_uses: CreditUsesTable
    credit_reservations: CreditReservationsTable
    credit_months: CreditMonthsTable
  }
}

export interface CreditUsesTable {
  project_id: string
  credit: string
  key: string
  amount: ColumnType<string, number, never>
  /** of AI message credits alone */
  chatbot_id: string | null
  visitor: string | null
  /** how much of the amount is not of the month */
  lifetime: ColumnType<string, number | undefined, never>
  used_at: Date
}
/** Credits that are taken and not yet settled. */
export interface CreditReservationsTable {
  project_id: string
  key: string
  chatbot_id: string | null
  visitor: string | null
  month: Decimal
  lifetime: Decimal
  reserved_at: Date
  /** null: it counts */
  released_at: Generated<Date | null>
}
/** The sums of what was settled in a month. */
export interface CreditMonthsTable {
  project_id: string
  /** YYYY-MM, in UTC */
  month: string
  used: ColumnType<string, number | undefined, number>
  lifetime: ColumnType<string, number | undefined, number>
  refused_at: Date | null
  told: Generated<number>
}
