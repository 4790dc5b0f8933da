import type { ColumnType, Generated } from 'kysely'
import type { Json } from '../../../engine/values/json'

declare module '../../platform/database/tables' {
  interface Database {
    web_chats: WebChatsTable
    identity_secrets: IdentitySecretsTable
  }
}

/** What signs the ids of visitors whom a site knows: one a chatbot. */
export interface IdentitySecretsTable {
  id: Generated<string>
  gid: string
  project_id: string
  chatbot_id: string
  sealed_secret: string
  created_at: Date
}

type Settings = ColumnType<Json, string | undefined, string>
/**
 * A chatbot on the web. Settings are read by the schemas of contracts/web, which fill in what a row of before has not.
 */
export interface WebChatsTable {
  chatbot_id: string
  project_id: string
  look_draft: ColumnType<Json, string | null | undefined, string | null>
  look_revision: Generated<number>
  look_published: ColumnType<Json, string | null | undefined, string | null>
  look_published_at: Date | null
  look_published_by: string | null
  embed: Settings
  visibility: Settings
  share: Settings
  language: Settings
  survey: Settings
  continuation: Settings
  /** argon2id; null: the shared page asks for none */
  share_password_hash: ColumnType<string | null, string | null | undefined, string | null>
  /** one more with each new password */
  share_version: Generated<number>
  /** what passes to the shared page are signed with */
  share_key: Generated<Buffer>
  updated_at: Date
}
