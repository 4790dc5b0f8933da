import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { entitlementsOf } from '../../access/entitlements'
import { registerRoute } from '../../access/register'
import { type Model, readAiSettings, updateAiSettings } from '../../contracts/ai'
import type { ServerContext } from '../../platform/context'
import { fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { usedByChatbot, usedMessageCredits } from '../billing/credits'
import { tickChecklist } from '../onboarding/checklist'
import { registerConnections } from './connectionRoutes'
import { aiChanged } from './events'
import type { Models } from './models'
import { settingsOf } from './settings'

/** Routes for a chatbot's AI settings (model, language, budgets) and its project's providers. */
export function registerAi(app: FastifyInstance, context: ServerContext, models: Models): void {
  const { clock } = context
  registerConnections(app, context)

  registerRoute(app, context, readAiSettings, async ({ caller, params }) => {
    const { id: projectId } = caller.project
    const { id } = await chatbotOf(caller.db, projectId, params.cgid)
    const { limits, features } = entitlementsOf(caller.project)
    const used = await usedMessageCredits(caller.db, projectId, clock())
    return {
      settings: await settingsOf(caller.db, projectId, id),
      models: await models.catalogue(projectId),
      premium: features.premium_models,
      credits: {
        month: { used: used.month, max: limits.ai_message_credits },
        lifetime: { used: used.lifetime, max: limits.lifetime_credits },
        chatbot_month: await usedByChatbot(caller.db, projectId, id, clock()),
      },
    }
  })

  registerRoute(app, context, updateAiSettings, async ({ caller, params, body, origin }) => {
    const { id: projectId } = caller.project
    const { id } = await chatbotOf(caller.db, projectId, params.cgid)
    const before = await settingsOf(caller.db, projectId, id)
    const settings = { ...before, ...body }
    const catalogue = await models.catalogue(projectId)
    const premium = entitlementsOf(caller.project).features.premium_models
    for (const field of ['model_id', 'fallback_model_id'] as const) {
      const problem = settings[field] === before[field] ? null : modelProblem(settings[field], catalogue, premium)
      if (problem) throw fieldError(field, problem)
    }
    if (settings.fallback_model_id === settings.model_id)
      throw fieldError('fallback_model_id', 'Choose another one than the model itself, or none')
    await caller.db.transaction().execute(async (trx) => {
      await trx
        .updateTable('chatbots')
        .set({
          ...('model_id' in body && { ai_model_id: settings.model_id }),
          ...('fallback_model_id' in body && { ai_fallback_model_id: settings.fallback_model_id }),
          ...('language' in body && { ai_language: settings.language }),
          ...('temperature' in body && { ai_temperature: Math.round(settings.temperature * 10) / 10 }),
          ...('suggestions' in body && { ai_suggestions: settings.suggestions }),
          ...('hide_urls' in body && { hide_urls: [...new Set(settings.hide_urls)] }),
          ...('monthly_budget' in body && { monthly_budget: settings.monthly_budget }),
          ...('visitor_budget' in body && { visitor_budget: settings.visitor_budget }),
          updated_at: clock(),
        })
        .where('id', '=', id)
        .execute()
      await tickChecklist(trx, projectId, 'ai_settings')
      const { model_id: model, fallback_model_id: fallback } = settings
      await appendEvent(trx, aiChanged, origin, { chatbot: params.cgid, model, fallback, fields: Object.keys(body) })
    })
    return { settings: await settingsOf(caller.db, projectId, id) }
  })
}

function modelProblem(id: number | null, catalogue: Model[], premium: boolean): string | null {
  if (id === null) return null
  const model = catalogue.find((each) => each.id === id)
  if (!model) return 'There is no such model any more: choose one of the list'
  if (!model.available) return `${model.name} needs a key of its provider: connect that first`
  return model.premium && !premium ? `${model.name} is not part of your plan: choose another, or upgrade` : null
}
