import type { ColumnType, Generated } from 'kysely'
import type { DeliveryState } from '../../contracts/mails'

declare module '../../platform/database/tables' {
  interface Database {
    mails: MailsTable
  }
}

export interface MailAddresses {
  to: string[]
  cc: string[]
  bcc: string[]
  replyTo: string[]
}
/** By recipient: what a delivery service told, when it began and why. */
export type MailDeliveries = Record<string, Partial<Record<DeliveryState, { at: string; reason: string | null }>>>

export interface MailsTable {
  id: Generated<string>
  gid: string
  project_id: string
  conversation_id: string | null
  key: string
  purpose:
    | 'flow'
    | 'hand-off'
    | 'invitation'
    | 'comment'
    | 'credits'
    | 'notification'
    | 'answer'
    | 'report'
    | 'connection'
    | 'billing'
  status: 'sending' | 'sent' | 'failed' | 'outbox'
  reason: string | null
  message_id: string
  /** sent by a test */
  test: Generated<boolean>
  from_name: string
  addresses: ColumnType<MailAddresses, string, never>
  subject: string
  html: string
  body: string
  /** migration 0129 */
  deliveries: ColumnType<MailDeliveries, string | undefined, string>
  created_at: Date
  sent_at: Date | null
}
