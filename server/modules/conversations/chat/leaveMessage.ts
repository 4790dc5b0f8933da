import type { FastifyInstance } from 'fastify'
import { cleanText } from '../../../../engine/values/cleanText'
import { registerRoute } from '../../../access/register'
import * as contract from '../../../contracts/chat'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { LeaveMessage } from '../../handOff/leftMessages'
import { availabilityOf } from '../../web/availability'
import { readPass } from '../runtime/shareLock'
import { findPublished } from './findPublished'

/** Messages that one chatbot takes in an hour: each is a mail to every member who answers visitors. */
const MESSAGES_PER_HOUR = 60
const HOUR = 3_600_000

/** The form that visitors meet outside of the hours. */
export function registerLeaveMessage(app: FastifyInstance, context: ServerContext, leave: LeaveMessage): void {
  const { clock, limits } = context
  const messagesOf = limits.attempts('messages left with a chatbot', MESSAGES_PER_HOUR, HOUR)

  registerRoute(app, context, contract.leaveMessage, async ({ params, body, request }) => {
    const { chatbotId, projectId, web, lock } = await findPublished(context, params.slug)
    const availability = availabilityOf(web.visibility, clock())
    if (availability.state !== 'closed' || !availability.form) throw new ApiError('chat_closed')
    await readPass(context.db.forProject(projectId), projectId, lock, body.access, clock())
    await messagesOf.take(chatbotId)
    const { client_id, email } = body
    const said = { name: cleanText(body.name), email, message: cleanText(body.message) }
    await leave({ projectId, chatbotId, key: `left.${chatbotId}.${client_id}`, correlation: request.id, ...said })
    return {}
  })
}
