import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { readTranslator, translateTexts } from '../../../contracts/translations'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { reserveCredits, settleCredits } from '../../billing/credits'
import type { Models } from '../../models/models'
import { ENVIRONMENT_MODEL } from '../../models/providers/catalogue'
import { openWithFallback } from '../../models/withFallback'
import { STOPPED } from '../answering/answerQuestions'
import { readAnswerSettings } from '../answering/settings'
import { askForTranslations } from './translate'

/** Translates the texts of a flow for who edits it. What comes of it is not stored here. */
export function registerTranslator(app: FastifyInstance, context: ServerContext, models: Models): void {
  const { clock, ids } = context
  async function open(db: Db, place: { projectId: string; chatbotId: string }) {
    const { model } = await openWithFallback(models, place.projectId, await readAnswerSettings(db, place))
    return model ?? (await models.open(place.projectId, ENVIRONMENT_MODEL))
  }

  registerRoute(app, context, readTranslator, async ({ caller, params }) => {
    const { id: chatbotId } = await chatbotOf(caller.db, caller.project.id, params.cgid)
    const model = await open(caller.db, { projectId: caller.project.id, chatbotId })
    return { model: model && { name: model.model.name, credits: model.model.credits } }
  })

  registerRoute(app, context, translateTexts, async ({ caller, params, body }) => {
    const projectId = caller.project.id
    const { id: chatbotId } = await chatbotOf(caller.db, projectId, params.cgid)
    const model = await open(caller.db, { projectId, chatbotId })
    if (!model) throw new ApiError('conflict', { message: 'Connect a model in the AI settings first.' })
    const key = `translate.${ids()}`
    const amount = model.model.credits
    const reserved = await reserveCredits(caller.db, { projectId, chatbotId, visitor: null, key, amount, at: clock() })
    if (!reserved.ok) throw new ApiError('plan_limit', { message: STOPPED[reserved.reason] })
    let credits = 0
    try {
      const answer = await askForTranslations(model, body)
      if (!answer.ok) throw new ApiError('unavailable', { message: answer.error })
      credits = amount
      return { texts: answer.value, credits }
    } finally {
      await settleCredits(caller.db, { projectId, key, amount: credits, at: clock() })
    }
  })
}
