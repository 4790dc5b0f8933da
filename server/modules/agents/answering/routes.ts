import type { FastifyInstance, FastifyReply } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { isAllowed, mayCarryOut } from '../../../access/roles'
import { refuseWithoutSetup } from '../../../access/setup'
import { type AnswerEvents, askChatbot } from '../../../contracts/answers'
import type { ServerContext } from '../../../platform/context'
import { ApiError, apiErrors } from '../../../platform/errors'
import { beginEvents } from '../../../platform/http/beginEvents'
import { tickChecklist } from '../../onboarding/checklist'
import type { Answering } from './answering'

/** The playground's route: streams the chatbot's answer. */
export function registerAnswers(app: FastifyInstance, context: ServerContext, answering: Answering): void {
  registerRoute(app, context, askChatbot, async ({ params, body, caller, reply }) => {
    const chatbot = await chatbotOf(caller.db, caller.project.id, params.cgid)
    if (body.carry_out && !mayCarryOut(caller.roles)) throw new ApiError('forbidden')
    refuseWithoutSetup(chatbot)
    await tickChecklist(caller.db, caller.project.id, 'playground')
    const gone = new AbortController()
    reply.raw.on('close', () => gone.abort())
    const parts = answering.answer({
      place: { projectId: caller.project.id, chatbotId: chatbot.id },
      question: body.question,
      before: body.before,
      ...(body.overrides && { overrides: body.overrides }),
      suggest: true,
      ...(body.chosen !== undefined && { chosen: body.chosen }),
      key: `playground.${context.ids()}`,
      visitor: null,
      // another person's conversation is a different one, whatever its name
      actions: {
        talk: body.talk ? `${caller.user.id}.${body.talk}` : null,
        writes: body.carry_out ? 'marked' : 'simulated',
      },
      signal: gone.signal,
    })
    // the record hides what the person may not see on the instructions' own screen
    const seesPrompt = isAllowed(caller.roles, 'instructions.view')
    const send = openEvents(reply)
    try {
      for await (const part of parts) {
        if (part.type === 'text') send('text', { delta: part.delta })
        else {
          const { found, ...answer } = part.answer
          const debug = seesPrompt ? answer.debug : { ...answer.debug, prompt: null }
          // the playground asks what the chatbot knows, and shows it as it is written
          const response = { response_source: 'knowledge', stream: true, answer_not_found: !found } as const
          send('answer', { ...answer, ...response, debug, failed: part.failed })
        }
      }
    } catch (error) {
      context.log.error({ err: error }, 'a question could not be answered')
      send('failed', { message: apiErrors.internal.text })
    }
    reply.raw.end()
  })
}

/** Starts a stream of server-sent events. Returns a function that sends one while somebody listens. */
function openEvents(reply: FastifyReply) {
  reply.hijack()
  const { raw } = reply
  beginEvents(reply)
  return <Name extends keyof AnswerEvents>(name: Name, data: AnswerEvents[Name]): void => {
    if (!raw.writableEnded && !raw.destroyed) raw.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
  }
}
