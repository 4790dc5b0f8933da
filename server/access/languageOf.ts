import type { InterfaceLanguage } from '../contracts/languages'
import type { Db } from '../platform/database/database'
import { ownersOf } from './owners'

/** The language of the account of an address; null: it is not known, or there is no account. */
export async function knownLanguage(db: Db, email: string): Promise<InterfaceLanguage | null> {
  const row = await db
    .selectFrom('users')
    .select('language')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.language ?? null
}

/**
 * The language of a project's mails to an address that may be nobody's account, such as a team's: then that of who
 * owns the project.
 */
export async function languageIn(db: Db, projectId: string, email: string): Promise<InterfaceLanguage> {
  const known = await knownLanguage(db, email)
  if (known) return known
  const [owner] = await ownersOf(db, projectId)
  return owner === undefined ? 'en' : languageOf(db, owner)
}

/** The language of mails to an address. */
export const languageOf = async (db: Db, email: string): Promise<InterfaceLanguage> =>
  (await knownLanguage(db, email)) ?? 'en'
