import { averagesOf } from '../../../server/modules/knowledge/retrieval/impacts'
import { buildIndex, type LexicalIndex } from '../../../server/modules/knowledge/retrieval/lexicalIndex'
import { type CutInput, cutContent } from '../../../server/modules/knowledge/training/cutContent'
import type { Site } from './readSites'
import { titleOf } from './trainSite'

/** A passage of a chatbot that learns or is asked. */
export interface Known {
  heading: string
  body: string
  isFaq: boolean
  page: string
}

/**
 * The shared sites that were looked at while the search, its concepts and what is said were tuned; on the others nothing
 * was. Weights and thresholds of the evidence are learnt from none of them, but from `written/`.
 */
export const TUNED = ['cog-and-cable', 'larkfield-dental', 'escuela-almirez', 'tsv-erlengrund']

/** A site's passages in an index, without a database. */
export async function indexSite({
  pages,
  faq,
}: Site): Promise<{ index: LexicalIndex; texts: Known[]; language: string }> {
  const texts: Known[] = []
  const records: Buffer[] = []
  let language = 'en'
  const add = async (page: string, title: string, content: Partial<CutInput['content']>) => {
    const isFaq = content.faq !== undefined
    const cut = await cutContent({
      content: { title, markdown: '', language: null, ...content },
      isFaq,
      known: null,
    } as CutInput)
    if (!cut.chunks) return
    if (!isFaq) language = cut.language ?? language
    for (const [at, end] of cut.ends.entries()) records.push(Buffer.from(cut.tokens.slice(cut.ends[at - 1] ?? 0, end)))
    for (const { heading, body } of cut.chunks) texts.push({ heading, body, isFaq, page })
  }
  for (const { name, markdown } of pages) await add(name, titleOf(markdown), { markdown })
  for (const { name, question, answer } of faq)
    await add(name, question, { faq: { question, phrasings: [], answer } } as Partial<CutInput['content']>)
  const index = await buildIndex(
    records.map((tokens, id) => ({ id, tokens })),
    averagesOf(records),
  )
  return { index, texts, language }
}
