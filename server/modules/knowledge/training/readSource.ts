import { arrayBuffer } from 'node:stream/consumers'
import type { Selectable } from 'kysely'
import type { FileStore } from '../../../platform/files/files'
import type { ReadDocument } from '../documents/readDocument'
import type { ReadArticle } from '../feeds/helpCenter'
import type { Pages } from '../page/readPage'
import type { KnowledgeSourcesTable } from '../tables'
import type { Content } from './content'

export type SourceRow = Selectable<KnowledgeSourcesTable>

/** The readers of source types. */
export interface Readers {
  files: FileStore
  readPage: Pages['read']
  /** an article of a Help Center by its address in the API */
  readArticle: ReadArticle
  readDocument: ReadDocument
}
export type SourceRead =
  | { content: Content }
  | { unchanged: true }
  /** a sentence with the remedy */
  | { failed: string }

/** Characters of a source; a longer text is truncated with a note. */
const MOST = 5_000_000

/** A source's present content. If the server supports it, only changes are requested. */
export async function readSource(
  { files, readPage, readArticle, readDocument }: Readers,
  source: SourceRow,
  signal: AbortSignal,
): Promise<SourceRead> {
  const plain = { title: source.title, faq: null, language: null, etag: null, pages: null, note: null }
  switch (source.kind) {
    case 'faq':
      if (source.data?.kind !== 'faq') return { failed: 'This entry is damaged: delete it and add it anew.' }
      return { content: { ...plain, markdown: source.data.answer, faq: source.data } }
    case 'text':
      if (source.data?.kind !== 'text') return { failed: 'This text is damaged: delete it and add it anew.' }
      return { content: { ...plain, markdown: source.data.markdown } }
    case 'document': {
      const stream = source.sha256 ? await files.read(source.project_id, source.sha256) : null
      if (!stream) return { failed: 'The file is no longer on the server. Delete this document and upload it again.' }
      const file = { bytes: new Uint8Array(await arrayBuffer(stream)), name: source.file_name ?? '' }
      const document = await readDocument(file, signal, source.project_id)
      return 'failed' in document ? document : { content: cut({ ...plain, ...document }) }
    }
    case 'link': {
      if (source.brought !== null)
        return source.brought.trim() === ''
          ? { failed: EMPTY }
          : { content: cut({ ...plain, markdown: source.brought, language: source.language }) }
      if (source.article_url !== null) {
        const article = await readArticle(source.article_url, { signal, owner: source.project_id })
        if ('failed' in article) return article
        return { content: cut({ ...plain, ...article, title: article.title || source.title }) }
      }
      // an untrained source is read in full, even if the server says it is unchanged
      const etag = source.content_hash === null ? null : source.etag
      const page = await readPage(source.url ?? '', { etag, signal, owner: source.project_id })
      if (!page.ok) return { failed: page.reason }
      if ('unchanged' in page) return { unchanged: true }
      if ('pdf' in page) {
        const pdf = await readDocument({ bytes: page.pdf, name: '.pdf' }, signal, source.project_id)
        return 'failed' in pdf ? pdf : { content: cut({ ...plain, ...pdf, etag: page.etag }) }
      }
      if (page.markdown.trim() === '') return { failed: NOTHING }
      const { title, markdown, language, etag: tag, note } = page
      return { content: cut({ ...plain, title: title || source.title, markdown, language, etag: tag, note }) }
    }
  }
}

const EMPTY = 'It has no text, as far as it is read.'
const NOTHING =
  'No readable text on this page: scripts may draw it. Use a page with text, or add the text as a text source.'

function cut(content: Content): Content {
  if (content.markdown.length <= MOST) return content
  const note = `Only the first ${MOST.toLocaleString('en')} characters are used. Split it to use all of it.`
  return { ...content, markdown: content.markdown.slice(0, MOST), note }
}
