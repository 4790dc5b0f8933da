import { z } from 'zod'
import { caps, tooLong } from '../../engine/values/caps'
import { setupSchema } from './chatbots'
import { defineRoute, type Feature, gid } from './route'
import { lookSchema } from './web/look'
import {
  continuationSchema,
  embedSchema,
  languageSchema,
  SHARE_PASSWORD_CAP,
  shareSchema,
  surveySchema,
  visibilitySchema,
} from './web/settings'
import { websiteLookSchema } from './web/websiteLook'

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const web = '/api/projects/:pgid/chatbots/:cgid/web'

const look = z.strictObject({
  draft: lookSchema,
  /** one more with each save */
  revision: z.int(),
  /** null: visitors see the default look */
  published: lookSchema.nullable(),
  published_at: z.string().nullable(),
})
export type LookState = z.infer<typeof look>

export const readLook = defineRoute({
  method: 'GET',
  path: `${web}/look`,
  access: { feature: 'appearance.view' },
  params: inChatbot,
  answer: look,
})
/** Saves the draft. `revision` is the one that the screen began with: 409 when somebody else has saved since. */
export const saveLook = defineRoute({
  method: 'POST',
  path: `${web}/look`,
  access: { feature: 'appearance.update' },
  params: inChatbot,
  body: z.strictObject({ look: lookSchema, revision: z.int().min(0) }),
  bodyLimit: 200_000,
  answer: look,
})
/** Visitors see the draft of that revision from now on. 409 when it is another by now. */
export const publishLook = defineRoute({
  method: 'POST',
  path: `${web}/look/publish`,
  access: { feature: 'appearance.update' },
  params: inChatbot,
  body: z.strictObject({ revision: z.int().min(0) }),
  answer: look,
})

/** Looks at a page for the colours that it is drawn in; changes nothing. 422 with the reason where it can't be read. */
export const readWebsiteLook = defineRoute({
  method: 'POST',
  path: `${web}/look/from-website`,
  access: { feature: 'appearance.update' },
  limit: { by: 'user', most: 20 },
  params: inChatbot,
  body: z.strictObject({ url: z.string().trim().min(1).max(caps.url) }),
  answer: z.strictObject({ found: websiteLookSchema }),
})

/** One screen's settings: read, and saved as a whole. */
const settings = <Settings>(
  name: string,
  feature: { view: Feature; update: Feature },
  schema: z.ZodType<Settings>,
) => ({
  read: defineRoute({
    method: 'GET',
    path: `${web}/${name}`,
    access: { feature: feature.view },
    params: inChatbot,
    answer: z.strictObject({ settings: schema }),
  }),
  save: defineRoute({
    method: 'POST',
    path: `${web}/${name}`,
    access: { feature: feature.update },
    params: inChatbot,
    body: z.strictObject({ settings: schema }),
    bodyLimit: 500_000,
    answer: z.strictObject({ settings: schema }),
  }),
})
export type SettingsRoutes<Settings> = ReturnType<typeof settings<Settings>>
const rights = (group: string) => ({ view: `${group}.view`, update: `${group}.update` }) as const
export const { read: readEmbed, save: saveEmbed } = settings('embed', rights('embed'), embedSchema)
export const { read: readVisibility, save: saveVisibility } = settings(
  'visibility',
  rights('visibility'),
  visibilitySchema,
)
export const { read: readShare, save: saveShare } = settings('share', rights('share'), shareSchema)
/** Whether the shared page asks for a password; which, nobody can read. */
const passwordState = z.strictObject({ set: z.boolean() })
export const readSharePassword = defineRoute({
  method: 'GET',
  path: `${web}/share-password`,
  access: { feature: 'share.view' },
  params: inChatbot,
  answer: passwordState,
})
/** A new one ends what was opened with the one before. */
export const setSharePassword = defineRoute({
  method: 'POST',
  path: `${web}/share-password`,
  access: { feature: 'share.update' },
  plan: 'share_password',
  params: inChatbot,
  body: z.strictObject({
    password: z.string().min(4, 'Must be at least 4 characters').max(SHARE_PASSWORD_CAP, tooLong(SHARE_PASSWORD_CAP)),
  }),
  answer: passwordState,
})
/** On every plan: what a plan lacks can be put away. */
export const removeSharePassword = defineRoute({
  method: 'DELETE',
  path: `${web}/share-password`,
  access: { feature: 'share.update' },
  params: inChatbot,
  answer: passwordState,
})
export const { read: readLanguage, save: saveLanguage } = settings('language', rights('settings'), languageSchema)
export const { read: readSurvey, save: saveSurvey } = settings('survey', rights('settings'), surveySchema)

export const { read: readContinuation, save: saveContinuation } = settings(
  'answers-by-mail',
  rights('settings'),
  continuationSchema,
)

/** Where a chatbot stands on its way to visitors. */
export const overviewSchema = z.strictObject({
  published: z.strictObject({ version: z.int(), at: z.string() }).nullable(),
  draft_changed: z.boolean(),
  /** what answers need */
  setup: setupSchema,
  look_published_at: z.string().nullable(),
  embed: z.strictObject({ enabled: z.boolean(), domains: z.int() }),
  /** whether a conversation began where it is embedded */
  embedded: z.boolean(),
  visibility: visibilitySchema.shape.visibility.unwrap(),
  schedule: z.boolean(),
  /** whether visitors are let in now, and until when that stays */
  open: z.boolean(),
  changes_at: z.string().nullable(),
  time_zone: z.string(),
  share: z.strictObject({
    slug: z.string(),
    domain: z.string().nullable(),
    password: z.boolean(),
    auth_enabled: z.boolean(),
    robots: z.boolean(),
  }),
  survey: z.boolean(),
  /** of the chat's own texts, and of how many languages some are replaced */
  language: languageSchema.shape.interface_language.unwrap(),
  own_texts: z.int(),
  answers_by_mail: z.boolean(),
  /** whether visitors' messages are limited by the chatbot's own settings */
  limited: z.boolean(),
})
export type Overview = z.infer<typeof overviewSchema>
export const readOverview = defineRoute({
  method: 'GET',
  path: `${web}/overview`,
  access: { feature: 'settings.view' },
  params: inChatbot,
  answer: z.strictObject({ overview: overviewSchema }),
})
