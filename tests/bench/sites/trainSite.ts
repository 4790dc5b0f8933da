import { randomBytes } from 'node:crypto'
import type { Knowledge } from '../../../server/modules/knowledge/knowledge'
import { type CutInput, cutContent } from '../../../server/modules/knowledge/training/cutContent'
import type { RootDb } from '../../../server/platform/database/database'
import { insertChatbot, type Place, raiseVersion } from '../../support/knowledgeBase'
import type { Site } from './readSites'

/** A chatbot that was trained with a site's pages and FAQ. */
export interface TrainedSite {
  place: Place
  /** the name of the page or entry of each source */
  pageOf: ReadonlyMap<string, string>
}

/** Makes a chatbot of a site, by the steps of training after a page is read. */
export async function trainSite(db: RootDb, knowledge: Knowledge, { pages, faq }: Site): Promise<TrainedSite> {
  const place = await insertChatbot(db)
  const pageOf = new Map<string, string>()
  const add = async (name: string, title: string, content: Partial<CutInput['content']>) => {
    const isFaq = content.faq !== undefined
    const input = { content: { title, markdown: '', language: null, ...content }, isFaq, known: null }
    const cut = await cutContent(input as CutInput)
    if (!cut.chunks) return
    const gid = randomBytes(8).toString('hex')
    pageOf.set(gid, name)
    const owner = { project_id: place.projectId, chatbot_id: place.chatbotId }
    const times = { created_at: new Date(), updated_at: new Date() }
    const { language, characters } = cut
    const { id } = await db
      .insertInto('knowledge_sources')
      .values({ ...owner, gid, kind: isFaq ? 'faq' : 'text', title, language, status: 'ready', characters, ...times })
      .returning('id')
      .executeTakeFirstOrThrow()
    const records = [...cut.ends].map((end, at) => Buffer.from(cut.tokens.slice(cut.ends[at - 1] ?? 0, end)))
    const rows = cut.chunks.map(({ heading, body }, position) => ({
      ...{ ...owner, source_id: id, position, heading, body },
      tokens: records[position] as Buffer,
    }))
    if (rows.length > 0) await db.insertInto('knowledge_chunks').values(rows).execute()
  }
  for (const { name, markdown } of pages) await add(name, titleOf(markdown), { markdown })
  for (const { name, question, answer } of faq)
    await add(name, question, { faq: { question, phrasings: [], answer } } as Partial<CutInput['content']>)
  await raiseVersion(db, place)
  await knowledge.calibrate(place)
  return { place, pageOf }
}

export const titleOf = (markdown: string): string => markdown.split('\n', 1)[0]?.replace(/^#\s*/, '') ?? ''
