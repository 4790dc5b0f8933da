import type { Db, Work } from '../../platform/database/database'
import { careForDomain } from './care'

/** A chatbot's custom domain; undefined if it has none. */
export const domainOf = (db: Db, chatbotId: string) =>
  db.selectFrom('custom_domains').selectAll().where('chatbot_id', '=', chatbotId).executeTakeFirst()

/** The number of a project's domains. */
export async function countDomains(db: Db, projectId: string): Promise<number> {
  const { count } = await db
    .selectFrom('custom_domains')
    .where('project_id', '=', projectId)
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Deletes a chatbot's domain with its certificate and its job. @returns the domain, if there was one */
export async function dropDomain(trx: Work, chatbotId: string) {
  const gone = await trx
    .deleteFrom('custom_domains')
    .where('chatbot_id', '=', chatbotId)
    .returning(['gid', 'hostname'])
    .executeTakeFirst()
  if (gone) await trx.deleteFrom('jobs').where('kind', '=', careForDomain.kind).where('key', '=', gone.gid).execute()
  return gone
}
