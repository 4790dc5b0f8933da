import { firstProblem } from '../../../engine/values/issues'
import type { Json } from '../../../engine/values/json'
import type { ServerContext } from '../../platform/context'
import { conversationOfCall } from '../../platform/effects/callKey'
import type { CallContext, Service } from '../../platform/effects/service'
import { type MailRequest, mailRequestSchema } from '../../platform/mail/content'
import type { Mail, Mailer } from './createMailer'
import { mailEffect } from './testEffect'

/**
 * The service `mail`: sends what a send-email block made. Answers `{ ok, messageId, status }` or `{ ok: false, error }`. A simulated
 * one has the status `simulated`, and is shown as it would have been.
 */
export function createMailService(context: Pick<ServerContext, 'db' | 'config'>, send: Mailer) {
  const { config } = context

  async function mailOf(request: Json, { key, writes }: Pick<CallContext, 'key' | 'writes'>) {
    const parsed = mailRequestSchema.safeParse(request)
    if (!parsed.success) return { problem: firstProblem(parsed.error.issues) }
    const conversation = await conversationOfCall(context, key)
    if (!conversation) return { problem: 'The conversation no longer exists.' }
    const { body, ...content } = parsed.data as MailRequest
    const mail: Mail = {
      ...content,
      projectId: conversation.project_id,
      conversationId: conversation.id,
      key,
      purpose: 'flow',
      body: { template: 'flow', body },
      test: writes !== 'real',
    }
    return { mail }
  }

  return {
    async carryOut(request, call) {
      const made = await mailOf(request, call)
      if (!made.mail) return failed(made.problem)
      const sent = await send(made.mail)
      if (!sent.ok || call.writes !== 'marked') return sent
      const effect = await mailEffect(config, made.mail, true)
      return { ...sent, testEffects: 'problem' in effect ? [] : [effect] }
    },

    async simulate(request, call) {
      const made = await mailOf(request, call)
      if (!made.mail) return failed(made.problem)
      const effect = await mailEffect(config, made.mail, false)
      if ('problem' in effect) return failed(effect.problem)
      return { ok: true, messageId: null, status: 'simulated', refused: [], testEffects: [effect] }
    },
  } satisfies Service
}

const failed = (error: string): Json => ({ ok: false, error })
