import type { DraftWork } from '../drafts/draftWork'

/**
 * What threads do, by name: one row a task. Each takes and gives what `structuredClone` can copy, and is loaded where it runs. A task has
 * no database and no network; what it works on is foreign, and may take all the time and memory that its thread is given.
 */
export const tasks = {
  readHtml: async ({ html, url }: { html: string; url: string }) =>
    (await import('../knowledge/page/readHtml')).readHtml(html, url),
  workOnDraft: async (work: DraftWork) => (await import('../drafts/draftWork')).workOnDraft(work),
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
