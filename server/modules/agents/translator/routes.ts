import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { readTranslator, translateTexts } from '../../../contracts/translations'
import type { ServerContext } from '../../../platform/context'
import type { Translator } from './createTranslator'

/** Translates the texts of a flow for who edits it. What comes of it is not stored here. */
export function registerTranslator(app: FastifyInstance, context: ServerContext, translator: Translator): void {
  registerRoute(app, context, readTranslator, async ({ caller: { db, project }, params }) => {
    const { id: chatbotId } = await chatbotOf(db, project.id, params.cgid)
    return { model: await translator.find(db, { projectId: project.id, chatbotId }) }
  })

  registerRoute(app, context, translateTexts, async ({ caller: { db, project }, params, body }) => {
    const { id: chatbotId } = await chatbotOf(db, project.id, params.cgid)
    return translator.translate(db, { projectId: project.id, chatbotId }, body)
  })
}
