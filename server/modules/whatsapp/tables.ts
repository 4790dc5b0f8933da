import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { Broadcast, Fill } from '../../contracts/whatsappBroadcasts'

/** Rows of numbers at WhatsApp (migrations 0140, 0155, 0166, 0177, 0187, 0189, 0220, 0222, 0310, 0375). */
declare module '../../platform/database/tables' {
  interface Database {
    whatsapp_connections: WhatsappConnectionsTable
    whatsapp_webhooks: WhatsappWebhooksTable
    whatsapp_people: WhatsappPeopleTable
    whatsapp_inbound: WhatsappInboundTable
    whatsapp_sends: WhatsappSendsTable
    whatsapp_templates: WhatsappTemplatesTable
    whatsapp_continuations: WhatsappContinuationsTable
    whatsapp_broadcasts: WhatsappBroadcastsTable
    whatsapp_broadcast_people: WhatsappBroadcastPeopleTable
  }
}

export interface WhatsappConnectionsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  app_id: string
  business_id: string
  number_id: string
  phone_number: string
  verified_name: string
  quality: string
  tier: Generated<string>
  sealed_keys: string
  registered: boolean
  problem: string | null
  checked_at: Date
  heard_at: Generated<Date | null>
  connected_by: string | null
  connected_at: Date
}

/** Webhooks that are not read yet. */
export interface WhatsappWebhooksTable {
  id: Generated<string>
  project_id: string
  /** whose secret signs it */
  connection_id: string
  body: Buffer
  /** sha256 */
  body_hash: Buffer
  /** it failed among others: it is tried by itself */
  apart: Generated<boolean>
  created_at: Date
}

export interface WhatsappPeopleTable {
  id: Generated<string>
  project_id: string
  connection_id: string
  user_id: string | null
  phone: string | null
  name: string
  /** what they were first known by */
  address: string
  wrote_at: Date
  /** WhatsApp refused a message for its window, and they have not written since */
  window_closed: Generated<boolean>
  /** they asked not to be written to, and by which word */
  stopped_at: Generated<Date | null>
  stopped_by: Generated<string | null>
  /** they agreed to be sent marketing, and what they were asked */
  agreed_at: Generated<Date | null>
  agreed_to: Generated<string | null>
  /** since when they have another number, as WhatsApp said */
  moved_at: Generated<Date | null>
  busy_until: Generated<Date | null>
}

export interface WhatsappInboundTable {
  id: Generated<string>
  project_id: string
  connection_id: string
  person_id: string
  wamid: string
  message: ColumnType<Json, string, never>
  sent_at: Date
  /** the message whose turn it is a part of */
  joined_to: Generated<string | null>
  taken_at: Date | null
  problem: string | null
  failures: Generated<number>
  /** it failed too often: it is tried by itself, and the person's others go on */
  apart: Generated<boolean>
  created_at: Date
}

export interface WhatsappSendsTable {
  id: Generated<string>
  project_id: string
  connection_id: string
  person_id: string
  key: string
  part: number
  status: 'trying' | 'accepted' | 'sent' | 'delivered' | 'read' | 'failed'
  wamid: string | null
  error: string | null
  tried_at: Date
}

export interface WhatsappTemplatesTable {
  id: Generated<string>
  project_id: string
  connection_id: string
  name: string
  language: string
  category: string
  status: string
  quality: string
  reason: string | null
  components: ColumnType<Json, string, string>
  status_at: Date
}

export interface WhatsappContinuationsTable {
  id: Generated<string>
  project_id: string
  connection_id: string
  /** the one that is left: on the web, or at WhatsApp */
  conversation_id: string
  /** sha256 */
  token_hash: Buffer
  created_by: string | null
  created_at: Date
  expires_at: Date
  to_web: Generated<boolean>
  /** the message, or the page, that used it */
  used_by: Generated<string | null>
  /** whether both have one contact since; false: they are verified as different people */
  joined: Generated<boolean | null>
  told: Generated<boolean>
}

export interface WhatsappBroadcastsTable {
  id: Generated<string>
  gid: string
  project_id: string
  connection_id: string
  name: string
  /** what the segment was called; empty: all contacts */
  segment: string
  template: ColumnType<Broadcast['template'], string, never>
  fills: ColumnType<Fill[], string, never>
  per_minute: number
  price: string
  currency: string
  skipped: ColumnType<Broadcast['skipped'], string, never>
  status: Broadcast['status']
  next_at: Date
  created_by: string | null
  created_at: Date
  ended_at: Generated<Date | null>
}

export interface WhatsappBroadcastPeopleTable {
  id: Generated<string>
  project_id: string
  broadcast_id: string
  contact_id: string
  person_id: string
  conversation_id: string
  seq: Generated<number | null>
  problem: Generated<string | null>
}
