import { z } from 'zod'
import { tooLong } from '../../../engine/values/caps'
import { widgetLanguages } from '../../../engine/values/languages'
import { openHours } from '../openHours'
import { isDomain, tidyDomain } from './domains'

/** What applies to a chatbot on the web as soon as it is saved, a schema for each screen. Every field has a default. */

/** `/integrations/embed` (SPEC.md 3, 9). */
export const embedSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** hosts whose pages may hold the chat, `*.example.com` for all below; none: any */
  whitelisted_domains: z
    .array(
      z
        .string()
        .overwrite(tidyDomain)
        .max(255, tooLong(255))
        .refine(isDomain, 'Enter a valid domain (such as example.com)'),
    )
    .max(100, 'At most 100 domains')
    .default([]),
  /** pages that show no launcher: parts of addresses */
  hide_urls: z
    .array(z.string().trim().min(1).max(2_048, tooLong(2_048)))
    .max(100, 'At most 100 addresses')
    .default([]),
  /** elements of the page that the chat must not cover: it hides while one of them is on the screen */
  excluded_class: z.string().trim().max(100, tooLong(100)).default(''),
  excluded_id: z.string().trim().max(100, tooLong(100)).default(''),
  /** nothing is kept in the browser before the page says that the visitor agreed */
  consent: z.boolean().default(false),
  /** the page's `dataLayer` is told what happens in the chat */
  data_layer: z.boolean().default(false),
})
export type EmbedSettings = z.infer<typeof embedSchema>

/** `/settings/visibility`. */
export const visibilitySchema = z.strictObject({
  /** `unlisted`: by its link and where it is embedded, and in no search engine */
  visibility: z.enum(['public', 'unlisted', 'off']).default('public'),
  schedule: z
    .strictObject({
      enabled: z.boolean().default(false),
      ...openHours,
      /** what a visitor meets outside of the hours */
      outside: z.enum(['hidden', 'message', 'form']).default('message'),
      message: z.string().trim().max(1_000, tooLong(1_000)).default(''),
    })
    .prefault({}),
  limits: z
    .strictObject({
      /** messages in a minute; 0: no limit of its own */
      by_visitor: z.int().min(0).max(1_000).default(0),
      by_address: z.int().min(0).max(10_000).default(0),
      by_chatbot: z.int().min(0).max(100_000).default(0),
      /** SPEC.md 9: end_user_rate_limit_error */
      message: z.string().trim().max(75, tooLong(75)).default(''),
    })
    .prefault({}),
  /** the shared page keeps nothing in the browser before the visitor agrees */
  consent: z.boolean().default(false),
})
export type VisibilitySettings = z.infer<typeof visibilitySchema>

/** `/integrations/share`, besides the slug and the password. */
export const shareSchema = z.strictObject({
  /** only members of the project who are logged in */
  auth_enabled: z.boolean().default(false),
  title: z.string().trim().max(100, tooLong(100)).default(''),
  description: z.string().trim().max(200, tooLong(200)).default(''),
  /** of this installation (`/files/…`) or http(s) */
  image: z
    .string()
    .trim()
    .max(2_048, tooLong(2_048))
    .regex(/^(?:|\/files\/[^\s]*|https?:\/\/[^\s]+)$/, 'Enter a valid URL (must start with https:// or http://)')
    .default(''),
  /** whether search engines may list the shared page */
  robots: z.boolean().default(false),
})
export type ShareSettings = z.infer<typeof shareSchema>
/** SPEC.md 9 */
export const SHARE_PASSWORD_CAP = 32

/** SPEC.md 3: interface_language. The language of the visitor, or one of the widget's. */
export const interfaceLanguages = ['auto', ...widgetLanguages.map(({ code }) => code)] as const
/** Characters of all texts of one's own: each visitor loads them. */
export const OWN_TEXTS_CAP = 20_000
const ownText = z.string().max(500, tooLong(500))
/** `/settings/language`: the chat's own texts, not what the bot says. */
export const languageSchema = z.strictObject({
  interface_language: z.enum(interfaceLanguages, 'Choose a language').default('auto'),
  /** by language, by the text's key in src/widget/texts.ts: shown instead of the chat's own */
  texts: z
    .record(z.string().regex(/^[a-z]{2}(?:-[a-z]{2})?$/), z.record(z.string().regex(/^[a-zA-Z]{1,40}$/), ownText))
    .refine((all) => lengthOf(all) <= OWN_TEXTS_CAP, tooLong(OWN_TEXTS_CAP))
    .default({}),
})
const lengthOf = (all: Record<string, Record<string, string>>): number =>
  Object.values(all).reduce((sum, texts) => sum + Object.values(texts).join('').length, 0)
export type LanguageSettings = z.infer<typeof languageSchema>

const asked = z.strictObject({ enabled: z.boolean().default(false), required: z.boolean().default(false) }).prefault({})
/** SPEC.md 3: satisfaction_survey. */
export const surveySchema = z.strictObject({
  enabled: z.boolean().default(false),
  rating: z.strictObject({ type: z.enum(['emoji', 'text']).default('emoji') }).prefault({}),
  follow_up: asked,
  resolved: asked,
  feedback: asked,
  /** minutes of silence after which it is asked; 0: at the end alone */
  after_minutes: z.int().min(0).max(1_440).default(0),
})
export type SurveySettings = z.infer<typeof surveySchema>

/** `/settings/answers-by-mail`: people's answers to visitors who have left. */
export const continuationSchema = z.strictObject({
  enabled: z.boolean().default(true),
  /** who the mails are from; empty: the person and the chatbot's name */
  sender_name: z.string().trim().max(75, tooLong(75)).default(''),
  /** minutes after the first answer that a visitor has not seen: what is answered meanwhile goes along */
  delay_minutes: z.int().min(1, 'Must be at least 1').max(1_440, 'Must be at most 1440').default(5),
})
export type ContinuationSettings = z.infer<typeof continuationSchema>

/** What decided a rating, by its key; several may be chosen. */
export const surveyReasons = ['answers', 'speed', 'understanding', 'person', 'other'] as const
/** SPEC.md 9: csat feedback */
export const FEEDBACK_CAP = 350

/** All that applies at once, by the name of its column. */
export interface WebSettings {
  embed: EmbedSettings
  visibility: VisibilitySettings
  share: ShareSettings
  language: LanguageSettings
  survey: SurveySettings
  continuation: ContinuationSettings
}
