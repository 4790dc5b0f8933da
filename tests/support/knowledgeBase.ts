import { randomBytes } from 'node:crypto'
import { tokensOf } from '../../server/modules/knowledge/retrieval/tokens'
import type { Db } from '../../server/platform/database/database'

export interface Place {
  projectId: string
  chatbotId: string
}
/** A source of one or more chunks; an FAQ entry if it has a question. */
export interface TestSource {
  title?: string
  /** for an FAQ entry: the question and its other phrasings */
  asked?: string[]
  heading?: string
  /** one per chunk */
  texts: string[]
  language?: string
}

const gid = (): string => Array.from(randomBytes(16), (byte) => (byte % 36).toString(36)).join('')

/** A chatbot without knowledge, in a new project unless one is given: rows only. */
export async function insertChatbot(db: Db, project?: string): Promise<Place> {
  const at = new Date()
  const { id: projectId } = project
    ? { id: project }
    : await db
        .insertInto('projects')
        .values({ gid: gid(), name: 'Test', created_at: at, updated_at: at })
        .returning('id')
        .executeTakeFirstOrThrow()
  const chatbot = await db
    .insertInto('chatbots')
    .values({
      gid: gid(),
      egid: gid(),
      project_id: projectId,
      name: 'Bot',
      slug: gid(),
      created_at: at,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { projectId, chatbotId: chatbot.id }
}

/** Inserts what training would: sources with their chunks, in one transaction. @returns the sources' ids */
export function insertSources(db: Db, place: Place, sources: TestSource[]): Promise<string[]> {
  const at = new Date()
  const owner = { project_id: place.projectId, chatbot_id: place.chatbotId }
  return db.transaction().execute(async (trx) => {
    const ids: string[] = []
    for (const { title = 'Source', asked, heading = '', texts, language = 'en' } of sources) {
      const head = asked ? asked.join('\n') : heading
      const source = await trx
        .insertInto('knowledge_sources')
        .values({
          ...owner,
          gid: gid(),
          kind: asked ? 'faq' : 'text',
          title,
          language,
          status: 'ready',
          characters: texts.join('').length,
          created_at: at,
          updated_at: at,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      ids.push(source.id)
      const chunks = texts.map((body, position) => ({
        ...owner,
        source_id: source.id,
        position,
        heading: head,
        body,
        tokens: tokensOf({ heading: head, body, isFaq: asked !== undefined, language }),
      }))
      if (chunks.length > 0) await trx.insertInto('knowledge_chunks').values(chunks).execute()
    }
    await raiseVersion(trx, place)
    return ids
  })
}

/** Increments the version, as every change of chunks does. */
export const raiseVersion = (db: Db, { projectId, chatbotId }: Place) =>
  db
    .updateTable('chatbots')
    .set(({ eb }) => ({ knowledge_version: eb('knowledge_version', '+', '1') }))
    .where('id', '=', chatbotId)
    .where('project_id', '=', projectId)
    .execute()
