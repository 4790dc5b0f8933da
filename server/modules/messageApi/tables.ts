import type { Generated, Selectable } from 'kysely'

/** Rows of the channel by which programs bring people's messages (migration 0175). */
declare module '../../platform/database/tables' {
  interface Database {
    message_api_channels: MessageApiChannelsTable
  }
}

interface MessageApiChannelsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  url: string
  sealed_secret: string
  problem: string | null
  connected_by: string | null
  connected_at: Date
}
export type MessageApiRow = Selectable<MessageApiChannelsTable>
