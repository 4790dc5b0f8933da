import type { InterfaceLanguage } from '../contracts/languages'
import type { Db } from '../platform/database/database'

/** The language of the account of an address; null: it is not known, or there is no account. */
export async function knownLanguage(db: Db, email: string): Promise<InterfaceLanguage | null> {
  const row = await db
    .selectFrom('users')
    .select('language')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.language ?? null
}

/** The language of mails to an address. */
export const languageOf = async (db: Db, email: string): Promise<InterfaceLanguage> =>
  (await knownLanguage(db, email)) ?? 'en'
