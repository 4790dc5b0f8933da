import type { IntentExamples } from '../../../engine/intents/trainIntents'
import type { DraftWork } from '../../modules/flows/drafts/draftWork'
import type { SitemapBytes } from '../../modules/knowledge/crawl/parseSitemap'
import type { ContentBytes } from '../../modules/knowledge/page/readContent'
import type { CutInput } from '../../modules/knowledge/training/cutContent'
import type { MailBody } from '../mail/renderMail'

/**
 * What threads do, by name: one row a task. Each takes and gives what `structuredClone` can copy, and is loaded where it runs. A task has
 * no database and no network; what it works on is foreign, and may take all the time and memory that its thread is given.
 */
export const tasks = {
  readContent: async (content: ContentBytes) =>
    (await import('../../modules/knowledge/page/readContent')).readContent(content),
  readSitemapFile: async (sitemap: SitemapBytes) =>
    (await import('../../modules/knowledge/crawl/parseSitemap')).readSitemapFile(sitemap),
  cutContent: async (given: CutInput) =>
    (await import('../../modules/knowledge/training/cutContent')).cutContent(given),
  readFaqCsv: async ({ csv, present }: { csv: string; present: ReadonlySet<string> }) =>
    (await import('../../modules/knowledge/sources/parseFaqCsv')).parseFaqCsv(csv, present),
  workOnDraft: async (work: DraftWork) => (await import('../../modules/flows/drafts/draftWork')).workOnDraft(work),
  trainIntents: async (intents: readonly IntentExamples[]) =>
    (await import('../../../engine/intents/trainIntents')).trainIntents(intents),
  parseJson: async (body: Uint8Array) => (await import('./parseJson')).parseJson(body),
  renderMail: async (body: MailBody) => (await import('../mail/renderBody')).renderBody(body),
  readPdf: async (bytes: Uint8Array) =>
    (await import('../../modules/knowledge/documents/extractPdf')).extractPdf(bytes),
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
