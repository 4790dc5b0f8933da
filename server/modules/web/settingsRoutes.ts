import type { FastifyInstance } from 'fastify'
import { chatbotOf } from '../../access/chatbots'
import { type Entitled, hasFeature } from '../../access/entitlements'
import { registerRoute } from '../../access/register'
import * as contract from '../../contracts/web'
import type { LanguageSettings, ShareSettings, SurveySettings, WebSettings } from '../../contracts/web/settings'
import type { ServerContext } from '../../platform/context'
import type { ProjectDb } from '../../platform/database/database'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent } from '../../platform/events/defineEvent'
import { webSettingsChanged } from './events'
import type { Publications } from './publications'
import { readWebChat } from './webSettings'

/** The settings that apply at once: of each screen, what it reads and what it saves. */
export function registerWebSettings(app: FastifyInstance, context: ServerContext, publications: Publications): void {
  screen('embed', { read: contract.readEmbed, save: contract.saveEmbed }, ({ embed }) => embed)
  screen('visibility', { read: contract.readVisibility, save: contract.saveVisibility }, ({ visibility }) => visibility)
  screen('share', { read: contract.readShare, save: contract.saveShare }, ({ share }) => share, wantImage)
  screen(
    'language',
    { read: contract.readLanguage, save: contract.saveLanguage },
    ({ language }) => language,
    wantLanguage,
  )
  screen(
    'continuation',
    { read: contract.readContinuation, save: contract.saveContinuation },
    ({ continuation }) => continuation,
  )
  screen('survey', { read: contract.readSurvey, save: contract.saveSurvey }, ({ survey }) => survey, wantSurvey)

  function screen<Settings>(
    name: keyof WebSettings,
    { read, save }: contract.SettingsRoutes<Settings>,
    ofScreen: (all: WebSettings) => Settings,
    check: (
      settings: Settings,
      before: () => Promise<Settings>,
      project: CheckedProject,
    ) => Promise<void> = async () => {},
  ): void {
    registerRoute(app, context, read, async ({ caller: { db, project }, params }) => {
      const { id } = await chatbotOf(db, project.id, params.cgid)
      return { settings: ofScreen(await readWebChat(db, { projectId: project.id, chatbotId: id })) }
    })
    registerRoute(app, context, save, async ({ caller: { db, project }, params, body: { settings }, origin }) => {
      const { id, version } = await chatbotOf(db, project.id, params.cgid)
      const before = async () => ofScreen(await readWebChat(db, { projectId: project.id, chatbotId: id }))
      await check(settings, before, { db, project, version })
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

interface CheckedProject {
  db: ProjectDb
  project: Entitled
  /** of the chatbot */
  version: number
}

/** Chatbots of version 1 have no `Auto` (SPEC.md 9). */
async function wantLanguage(
  { interface_language: language }: LanguageSettings,
  _: unknown,
  { version }: CheckedProject,
): Promise<void> {
  if (version === 1 && language === 'auto') throw fieldError('settings.interface_language', 'Choose a language')
}

/**
 * On every plan it can be switched off, and changed while it is on: who meets it, withinPlan.ts says. @throws ApiError
 * `plan_limit`
 */
async function wantSurvey(
  { enabled }: SurveySettings,
  before: () => Promise<SurveySettings>,
  { project }: CheckedProject,
): Promise<void> {
  if (enabled && !hasFeature(project, 'survey') && !(await before()).enabled) throw new ApiError('plan_limit')
}

/** A new image of this installation is one of the project, of a type and size that link previews show. */
async function wantImage(
  { image }: ShareSettings,
  before: () => Promise<ShareSettings>,
  { db }: CheckedProject,
): Promise<void> {
  if (!image.startsWith('/files/') || image === (await before()).image) return
  const file = await db
    .selectFrom('files')
    .select(['media_type', 'bytes'])
    .where('gid', '=', image.slice('/files/'.length))
    .executeTakeFirst()
  const refused =
    (!file && 'This file is not in the project. Upload the image again') ||
    (file &&
      !SHOWN_IN_PREVIEWS.includes(file.media_type) &&
      'Link previews show PNG, JPEG, GIF and WebP images alone') ||
    (file && Number(file.bytes) > PREVIEW_BYTES && 'Link previews show images of at most 5 MB')
  if (refused) throw fieldError('settings.image', refused)
}
const SHOWN_IN_PREVIEWS: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']
const PREVIEW_BYTES = 5_000_000
