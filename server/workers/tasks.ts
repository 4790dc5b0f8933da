import type { DraftWork } from '../drafts/draftWork'
import type { SitemapBytes } from '../knowledge/crawl/parseSitemap'
import type { ContentBytes } from '../knowledge/page/readContent'
import type { CutInput } from '../knowledge/training/cutContent'
import type { MailBody } from '../mail/renderMail'

/**
 * What threads do, by name: one row a task. Each takes and gives what `structuredClone` can copy, and is loaded where it runs. A task has
 * no database and no network; what it works on is foreign, and may take all the time and memory that its thread is given.
 */
export const tasks = {
  readContent: async (content: ContentBytes) => (await import('../knowledge/page/readContent')).readContent(content),
  readSitemapFile: async (sitemap: SitemapBytes) =>
    (await import('../knowledge/crawl/parseSitemap')).readSitemapFile(sitemap),
  cutContent: async (given: CutInput) => (await import('../knowledge/training/cutContent')).cutContent(given),
  readFaqCsv: async ({ csv, present }: { csv: string; present: ReadonlySet<string> }) =>
    (await import('../api/sources/parseFaqCsv')).parseFaqCsv(csv, present),
  workOnDraft: async (work: DraftWork) => (await import('../drafts/draftWork')).workOnDraft(work),
  parseJson: async (body: Uint8Array) => (await import('./parseJson')).parseJson(body),
  renderMail: async (body: MailBody) => (await import('../mail/renderBody')).renderBody(body),
  readPdf: async (bytes: Uint8Array) => (await import('../knowledge/documents/extractPdf')).extractPdf(bytes),
}

export type TaskName = keyof typeof tasks
export type TaskInput<Name extends TaskName> = Parameters<(typeof tasks)[Name]>[0]
export type TaskResult<Name extends TaskName> = Awaited<ReturnType<(typeof tasks)[Name]>>

/** What a thread is sent, and what it answers. */
export interface TaskCall {
  name: string
  input: unknown
}
export type TaskReply = { result: unknown } | { error: string }
