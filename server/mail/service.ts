import { firstProblem } from '../../engine/values/issues'
import type { ServerContext } from '../context'
import { conversationOfCall } from '../host/callKey'
import type { Service } from '../host/turns'
import { type MailRequest, mailRequestSchema } from './content'
import type { Mailer } from './createMailer'

/** The service `mail`: sends what a send-email block made. Answers `{ ok, messageId, status }` or `{ ok: false, error }`. */
export function createMailService({ db }: Pick<ServerContext, 'db'>, send: Mailer): Service {
  return async (request, { key }) => {
    const parsed = mailRequestSchema.safeParse(request)
    if (!parsed.success) return { ok: false, error: firstProblem(parsed.error.issues) }
    const conversation = await conversationOfCall(db, key)
    if (!conversation) return { ok: false, error: 'The conversation is gone.' }
    const { body, ...content } = parsed.data as MailRequest
    return send({
      ...content,
      projectId: conversation.project_id,
      conversationId: conversation.id,
      key,
      purpose: 'flow',
      body: { template: 'flow', body },
    })
  }
}
