import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { NotificationKind } from '../../contracts/personalNotifications'

declare module '../../platform/database/tables' {
  interface Database {
    notifications: NotificationsTable
    notification_settings: NotificationSettingsTable
    push_subscriptions: PushSubscriptionsTable
    push_keys: PushKeysTable
  }
}

export interface NotificationsTable {
  id: Generated<string>
  project_id: string
  user_id: string
  kind: NotificationKind
  /** the event that caused it: one for each member, however often it is handled */
  key: string
  conversation_id: string | null
  contact_id: string | null
  actor_id: string | null
  created_at: Date
  seen_at: Date | null
  /** shown in the interface */
  in_app: boolean
  /** when it is mailed; null: not to be, or done */
  mail_at: Date | null
  /** when it is pushed to browsers; null: not to be, or done */
  push_at: Date | null
}
export interface NotificationSettingsTable {
  project_id: string
  user_id: string
  /** as stored: parsed with `personalSchema`, whose defaults fill what is missing */
  settings: ColumnType<Json, string, string>
  updated_at: Date
}
export interface PushSubscriptionsTable {
  id: Generated<string>
  user_id: string
  endpoint: string
  p256dh: string
  auth: string
  created_at: Date
}
/** One row: the installation's key pair. */
export interface PushKeysTable {
  only_one: Generated<boolean>
  public_key: string
  sealed_private_key: string
  created_at: Date
}
