import { extract } from './extractive/extract'
import { judgePassages, loadMeanings, searchWords } from './judgePassages'
import type { Extracted, Found, Passage } from './knowledge'
import { evidenceOf, thresholdOf } from './retrieval/confidence'
import { averagesOf } from './retrieval/impacts'
import { buildIndex } from './retrieval/lexicalIndex'
import { askedOf, beginningOf } from './retrieval/question'
import { unrelatedTo } from './retrieval/unrelated'
import { makeChunks } from './training/makeChunks'

/** A page that comes with the program, such as one of its documentation. */
interface LibraryPage {
  title: string
  url: string
  markdown: string
}

/** Pages in memory that are asked like a chatbot's own: without a project, a database or a model. */
export interface Library {
  find(question: string): Found
  /** What the built-in model says of it; null if nothing answers. */
  extract(found: Found, question: string): Extracted | null
}

/** Texts that are enough to tell a language's common words. */
const SAMPLE = 300
const LIMIT = 8

/**
 * Splits pages into passages, in worker threads, and indexes them.
 * @param language of the pages (ISO 639-1)
 * @throws TaskError if a page takes too much time or memory
 */
export async function createLibrary(pages: readonly LibraryPage[], language: string): Promise<Library> {
  const passages: Passage[] = []
  const records: Buffer[] = []
  for (const [at, { title, url, markdown }] of pages.entries()) {
    const content = { title, markdown, language, faq: null, etag: null, pages: null, note: null }
    const made = await makeChunks(content, false, null, [], { owner: url })
    const source = { gid: String(at), kind: 'link' as const, title, url }
    for (const { heading, body, tokens } of made?.chunks ?? []) {
      passages.push({ id: String(passages.length), source, heading, text: body, score: 0 })
      records.push(tokens)
    }
  }
  const index = await buildIndex(
    records.map((tokens, id) => ({ id, tokens })),
    averagesOf(records),
  )
  const meanings = await loadMeanings()
  const { questions } = unrelatedTo(
    language,
    passages.slice(0, SAMPLE).map(({ text }) => text),
  )
  const { unsure } = thresholdOf(
    questions.map((question) => evidenceOf(index.search(askedOf(question, meanings.lexicon), LIMIT))),
  )

  return {
    find(whole) {
      const { question, hits } = searchWords(index, beginningOf(whole), meanings)
      const found = hits.hits.flatMap(({ id, score }) => {
        const passage = passages[id]
        return passage ? [{ ...passage, score: Math.min(1, score / hits.full) }] : []
      })
      if (found.length === 0) return { passages: [], zone: 'unknown', confidence: 0, language }
      const judged = judgePassages(found, question, meanings, { hits, unsure })
      return { ...judged, passages: judged.passages.slice(0, LIMIT), language }
    },
    extract: (found, question) => extract(found, beginningOf(question)),
  }
}
