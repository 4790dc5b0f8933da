import { sql } from 'kysely'
import { type SourceKind, sourceKinds } from '../../../contracts/sources'
import type { Db } from '../../../platform/database/database'

/** A chatbot's instructions and sources, as the account shows them. */
export interface ChatbotContents {
  instructions: string
  /** null: its own */
  linked_kb: { id: string; name: string } | null
  /** its number at WhatsApp; null: it is not connected */
  whatsapp: { gid: string; phone_number: string; registered: boolean; problem: string | null } | null
  /** ids of its own newest sources by kind */
  sources: Record<SourceKind, string[]>
  /** number of sources it is trained on: its own, or those of the linked knowledge base */
  trained_on: number
}

/** Sources listed per kind: the account is loaded with every page, and a site may have thousands. */
const NAMED = 100

/** The chatbot's own sources, newest first. @param id of a chatbot of the project */
export const chatbotSources = (db: Db, projectId: string, id: string) =>
  db
    .selectFrom('knowledge_sources')
    .select(['gid', 'kind', 'title'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', id)
    .orderBy('id', 'desc')
    .limit(sourceKinds.length * NAMED)
    .execute()

/** @param id of a chatbot of the project */
export async function chatbotContents(db: Db, projectId: string, id: string): Promise<ChatbotContents> {
  const row = await db
    .selectFrom('chatbots as own')
    .leftJoin('chatbots as lender', (join) =>
      join.onRef('lender.id', '=', 'own.linked_kb_id').onRef('lender.project_id', '=', 'own.project_id'),
    )
    .select([
      'own.instructions',
      'lender.gid as lender_gid',
      'lender.name as lender_name',
      sql<string>`(select count(*) from knowledge_sources as source where source.project_id = own.project_id
        and source.chatbot_id = coalesce(lender.id, own.id))`.as('trained_on'),
    ])
    .where('own.project_id', '=', projectId)
    .where('own.id', '=', id)
    .executeTakeFirstOrThrow()
  const named = await Promise.all(
    sourceKinds.map(async (kind) => {
      const rows = await db
        .selectFrom('knowledge_sources')
        .select('gid')
        .where('project_id', '=', projectId)
        .where('chatbot_id', '=', id)
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(NAMED)
        .execute()
      return [kind, rows.map(({ gid }) => gid)] as const
    }),
  )
  const whatsapp = await db
    .selectFrom('whatsapp_connections')
    .select(['gid', 'phone_number', 'registered', 'problem'])
    .where('project_id', '=', projectId)
    .where('chatbot_id', '=', id)
    .executeTakeFirst()
  const { instructions, lender_gid, lender_name, trained_on } = row
  return {
    instructions,
    linked_kb: lender_gid && lender_name !== null ? { id: lender_gid, name: lender_name } : null,
    sources: Object.fromEntries(named) as ChatbotContents['sources'],
    trained_on: Number(trained_on),
    whatsapp: whatsapp ?? null,
  }
}
