import type { Json } from '../../../../engine/values/json'

/** What a vendor gives to let us in. */
export interface Access {
  access: string
  /** null: the vendor gave none, and the access can't be renewed */
  refresh: string | null
  /** where calls with them go, of a vendor whose accounts each have an address; null: where all accounts are */
  host: string | null
}

/** Tokens as they come, with what else the vendor says of them. */
export interface Granted {
  access: Access
  /** seconds; null: not said */
  expiresIn: number | null
  /** null: as asked for */
  scopes: string[] | null
  /** the answer as it came, for what else a vendor says in it */
  answer: Json
}
