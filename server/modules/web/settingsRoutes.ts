import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { hasFeature } from '../../access/plans'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/web'
import type { SurveySettings, WebSettings } from '../../contracts/web/settings'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { webSettingsChanged } from './events'
import type { Publications } from './publications'
import { readWebChat } from './webSettings'

/** The settings that apply at once: of each screen, what it reads and what it saves. */
export function registerWebSettings(app: FastifyInstance, context: ServerContext, publications: Publications): void {
  screen('embed', { read: contract.readEmbed, save: contract.saveEmbed }, ({ embed }) => embed)
  screen('visibility', { read: contract.readVisibility, save: contract.saveVisibility }, ({ visibility }) => visibility)
  screen('share', { read: contract.readShare, save: contract.saveShare }, ({ share }) => share)
  screen('language', { read: contract.readLanguage, save: contract.saveLanguage }, ({ language }) => language)
  screen('survey', { read: contract.readSurvey, save: contract.saveSurvey }, ({ survey }) => survey, wantSurvey)

  function screen<Settings>(
    name: keyof WebSettings,
    { read, save }: contract.SettingsRoutes<Settings>,
    ofScreen: (all: WebSettings) => Settings,
    wantPlan: (planId: string, settings: Settings) => void = () => {},
  ): void {
    registerRoute(app, context, read, async ({ caller: { db, project }, params }) => {
      const { id } = await chatbotOf(db, project.id, params.cgid)
      return { settings: ofScreen(await readWebChat(db, { projectId: project.id, chatbotId: id })) }
    })
    registerRoute(app, context, save, async ({ caller: { db, project }, params, body: { settings }, origin }) => {
      wantPlan(project.plan_id, settings)
      const { id } = await chatbotOf(db, project.id, params.cgid)
      await db.transaction().execute(async (trx) => {
        const values = { [name]: JSON.stringify(settings), updated_at: context.clock() }
        await trx
          .insertInto('web_chats')
          .values({ chatbot_id: id, project_id: project.id, ...values })
          .onConflict((conflict) => conflict.column('chatbot_id').doUpdateSet(values))
          .execute()
        await appendEvent(trx, webSettingsChanged, origin, { chatbot: params.cgid, screen: name })
      })
      publications.publish(id, 'web')
      return { settings }
    })
  }
}

/** On every plan it can be switched off. @throws ApiError `plan_limit` */
function wantSurvey(planId: string, { enabled }: SurveySettings): void {
  if (enabled && !hasFeature(planId, 'survey')) throw new ApiError('plan_limit')
}
