import { type MailRequest, mailEffect } from '../../../engine/effects/mail'
import type { ServerContext } from '../../platform/context'
import type { CallContext } from '../../platform/effects/callContext'
import { handleEffect } from '../../platform/effects/handleEffect'
import type { Mail, Mailer } from './createMailer'
import { shownMail } from './testEffect'

type MailCallContext = Pick<CallContext, 'project' | 'conversation' | 'idempotencyKey' | 'writes'>

/**
 * Handles `mail`: sends a send-email block's mail. A simulated one has the status `simulated`, and is shown as it would
 * have been sent.
 */
export function createMailHandler({ config }: Pick<ServerContext, 'config'>, send: Mailer) {
  const mailOf = (
    { body, ...content }: MailRequest,
    { project, conversation, idempotencyKey: key, writes }: MailCallContext,
  ): Mail => ({
    ...content,
    projectId: project.id,
    conversationId: conversation.id,
    key,
    purpose: 'flow',
    body: { template: 'flow', body },
    test: writes !== 'real',
  })

  return handleEffect(mailEffect).by({
    async carryOut(request, context: MailCallContext) {
      const mail = mailOf(request, context)
      const sent = await send(mail)
      if (!sent.ok || context.writes !== 'marked') return sent
      const effect = await shownMail(config, mail, true)
      return { ...sent, testEffects: 'problem' in effect ? [] : [effect] }
    },

    async simulate(request, context) {
      const effect = await shownMail(config, mailOf(request, context), false)
      if ('problem' in effect) return { ok: false, error: effect.problem }
      return { ok: true, messageId: null, status: 'simulated', refused: [], testEffects: [effect] }
    },
  })
}
