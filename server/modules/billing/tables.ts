import type { ColumnType, Generated } from 'kysely'

/** The driver returns text, and accepts numbers. */
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
  /** only for AI message credits */
  chatbot_id: string | null
  visitor: string | null
  /** the part of the amount from one-time credits */
  lifetime: ColumnType<string, number | undefined, never>
  /** the part that is beyond the plan */
  overage: ColumnType<string, number | undefined, never>
  used_at: Date
}
/** Reserved credits that are not settled yet. */
export interface CreditReservationsTable {
  project_id: string
  key: string
  chatbot_id: string | null
  visitor: string | null
  month: Decimal
  lifetime: Decimal
  overage: ColumnType<string, number | undefined, number>
  reserved_at: Date
  /** null: in force */
  released_at: Generated<Date | null>
}
/** Sums of settled credits per month. */
export interface CreditMonthsTable {
  project_id: string
  /** YYYY-MM, in UTC */
  month: string
  used: ColumnType<string, number | undefined, number>
  lifetime: ColumnType<string, number | undefined, number>
  overage: ColumnType<string, number | undefined, number>
  /** whole credits beyond the plan that were reported, and up to which they are being reported; null: none are */
  overage_reported: Generated<number>
  overage_reporting: Generated<number | null>
  refused_at: Date | null
  told: Generated<number>
}
