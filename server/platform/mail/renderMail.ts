import type { RunTask } from '../workers/createThreads'
import { runTask } from '../workers/runTask'
import type { MailBody } from './mailBody'
import { type RenderedMail, renderBody } from './renderBody'
import { renderMail as renderInThread } from './tasks'

/** Longer mails take 50 ms and more: flows build them from visitors' texts. */
const LONG = 1_000

/**
 * Renders a mail as HTML and as text; a long one in a worker thread.
 * @param owner the project; projects take turns
 * @throws TaskError if it takes too long
 */
export async function renderMail(body: MailBody, owner?: string, run: RunTask = runTask): Promise<RenderedMail> {
  return JSON.stringify(body).length > LONG ? run(renderInThread, body, { owner }) : renderBody(body)
}
