import type { ColumnType, Generated } from 'kysely'
import type { SubscriptionState } from './subscriptionState'

declare module '../../platform/database/tables' {
  interface Database {
    subscriptions: SubscriptionsTable
    stripe_events: StripeEventsTable
  }
}

export interface SubscriptionsTable {
  project_id: string
  customer_id: string
  state: ColumnType<SubscriptionState | null, string | null | undefined, string | null>
  version: Generated<number>
  read_at: ColumnType<Date | null, Date | null | undefined, Date | null>
  grace_until: ColumnType<Date | null, Date | null | undefined, Date | null>
  /** what an owner allows a month beyond the plan, in whole cents; null: nothing */
  overage_cap: ColumnType<number | null, number | null | undefined, number | null>
}

export interface StripeEventsTable {
  id: string
  project_id: string
  type: string
  received_at: Date
  handled_at: ColumnType<Date | null, Date | null | undefined, Date | null>
}
