import type { Generated } from 'kysely'
import type { WebhookEvent } from '../../contracts/webhookEvents'

declare module '../../platform/database/tables' {
  interface Database {
    webhook_endpoints: WebhookEndpointsTable
    webhook_messages: WebhookMessagesTable
    webhook_attempts: WebhookAttemptsTable
    webhook_triggers: WebhookTriggersTable
  }
}

/** Where a project's events are sent. */
export interface WebhookEndpointsTable {
  id: Generated<string>
  gid: string
  project_id: string
  url: string
  description: string
  events: WebhookEvent[]
  /** whether payloads name people and say what they wrote */
  personal: boolean
  enabled: boolean
  /** why it was switched off by itself */
  stopped: Generated<'failures' | 'gone' | null>
  stopped_at: Generated<Date | null>
  sealed_secret: string
  /** the secret before it, which signs as well until then */
  sealed_old_secret: Generated<string | null>
  old_secret_until: Generated<Date | null>
  /** attempts in a row that failed, and since when */
  failures: Generated<number>
  failing_since: Generated<Date | null>
  created_at: Date
  updated_at: Date
}

/** An event for an endpoint: the same id and the same bytes at each attempt. */
export interface WebhookMessagesTable {
  id: Generated<string>
  gid: string
  project_id: string
  endpoint_id: string
  /** null: a test */
  event_id: string | null
  type: WebhookEvent
  body: string
  conversation_id: string | null
  contact_id: string | null
  status: 'pending' | 'delivered' | 'failed'
  /** of the present round: sending again begins another one */
  attempts: Generated<number>
  /** when it is tried; during an attempt, when that counts as lost; null: not any more */
  next_at: Date | null
  created_at: Date
}

export interface WebhookAttemptsTable {
  id: Generated<string>
  project_id: string
  message_id: string
  at: Date
  /** milliseconds */
  duration: number
  /** the answer's; null: there was none */
  status: number | null
  /** the beginning of what was answered */
  answer: string
  /** why it failed; null: it did not */
  error: string | null
}

/** The address at which other programs call a trigger of a chatbot's main flow. */
export interface WebhookTriggersTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  block_id: string
  /** sha256 of the address' last part */
  token_hash: Buffer
  sealed_token: string
  /** what calls are signed with; null: they are not */
  sealed_secret: Generated<string | null>
  /** what was sent last, for choosing values in the form */
  sample: Generated<string | null>
  sample_at: Generated<Date | null>
  /** why the last call was refused; null: it was not */
  problem: Generated<string | null>
  called_at: Generated<Date | null>
  created_at: Date
}
