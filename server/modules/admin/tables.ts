import type { ColumnType, Generated } from 'kysely'
import type { OperatorAction } from '../../contracts/admin'

declare module '../../platform/database/tables' {
  interface Database {
    operator_actions: OperatorActionsTable
  }
}

/** What operators did; never changed. */
export interface OperatorActionsTable {
  id: Generated<string>
  at: ColumnType<Date, Date, never>
  /** null: by the command line */
  operator: string | null
  action: OperatorAction
  target: string
  details: Generated<string>
}
