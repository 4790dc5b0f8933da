import type { ColumnType, Generated } from 'kysely'

/** Rows of accounts' passkeys. */
declare module '../../../platform/database/tables' {
  interface Database {
    passkeys: PasskeysTable
    passkey_challenges: PasskeyChallengesTable
  }
}

export interface PasskeysTable {
  id: Generated<string>
  gid: string
  user_id: string
  /** the device's own name of the key, in base64url */
  credential_id: string
  /** COSE */
  public_key: Buffer
  /** how often the device says that it has signed; 0: it does not count */
  counter: ColumnType<string, number, number>
  /** how a browser reaches the device */
  transports: Generated<string[]>
  name: string
  created_at: Date
  used_at: Generated<Date | null>
}
/** What devices are asked to sign. */
export interface PasskeyChallengesTable {
  challenge_hash: Buffer
  /** sha256 of the cookie's token */
  browser_hash: Buffer
  /** who adds a passkey; null: a log-in */
  user_id: string | null
  expires_at: Date
}
