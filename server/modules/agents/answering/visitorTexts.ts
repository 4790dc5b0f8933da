/// <reference types="vite/types/importMeta.d.ts" />
import { z } from 'zod'
import { type LeadField, leadFields } from '../../../../engine/values/agentActions'
import { aiLanguages } from '../../../../engine/values/aiLanguages'
import { chatCodesOf, type SuggestionTexts, suggestionTexts } from '../../../../engine/values/suggestionTexts'
import type { LanguageSettings } from '../../../contracts/web/settings'
import { languageCodes } from '../../models/languageCodes'

/** Kinds of small talk. If a message has several, the last one listed here is answered. */
export const smallTalkKinds = ['greeting', 'fine', 'thanks', 'goodbye', 'howAreYou', 'about'] as const
export type SmallTalkKind = (typeof smallTalkKinds)[number]

const each = <Value extends z.ZodType>(value: Value) => z.record(z.enum(smallTalkKinds), value)
const visitorTextsSchema = z.strictObject({
  /** the sources do not contain the answer */
  notFound: z.string(),
  /** before sentences that may or may not answer */
  mayHelp: z.string(),
  /** no answer is possible now, for a reason on the editor's side */
  unavailable: z.string(),
  /** to small talk; `{name}` is the chatbot's owner */
  replies: each(z.string()),
  /** examples of small talk */
  said: each(z.array(z.string())),
  /** labels of a lead form */
  fields: z.record(z.enum(leadFields), z.string()) satisfies z.ZodType<Record<LeadField, string>>,
})
/** Texts for visitors where no model speaks. */
export type VisitorTexts = z.infer<typeof visitorTextsSchema>

const files = import.meta.glob<unknown>('./texts/*.json', { import: 'default', eager: true })

/** By language code as in `languageOf`. */
export const visitorTexts: ReadonlyMap<string, VisitorTexts> = new Map(
  Object.entries(files).map(([file, texts]) => [
    file.slice('./texts/'.length, -'.json'.length),
    visitorTextsSchema.parse(texts),
  ]),
)

/** Languages covered by a related one, or with another name here. */
const NAMED: Readonly<Record<string, string>> = {
  'zh-Hans': 'zh',
  'zh-Hant': 'zh-tw',
  'pt-BR': 'pt',
  fil: 'tl',
  bs: 'hr',
}

/** The code of a configured language, a name of engine/values/aiLanguages.ts; null for the question's language. */
export function codeOf(set: string): string | null {
  const name = aiLanguages.find((language) => language === set)
  if (name === undefined || name === 'Auto') return null
  return NAMED[languageCodes[name]] ?? languageCodes[name]
}

/** The same as other programs name it, with its region or script: `pt-br`, `zh-hans`. */
export function tagOf(set: string): string | null {
  const name = aiLanguages.find((language) => language === set)
  return name === undefined || name === 'Auto' ? null : languageCodes[name].toLowerCase()
}

/** What is said with the nearest questions: in an editor's words if there are any. */
export function suggestionTextsIn(language: string | null, own: LanguageSettings['texts']): SuggestionTexts {
  const code = language ?? 'en'
  const written = own[chatCodesOf(code).find((each) => own[each] !== undefined) ?? code] ?? {}
  const { didYouMean, noneOfThese } = suggestionTexts(code)
  return { didYouMean: written.didYouMean || didYouMean, noneOfThese: written.noneOfThese || noneOfThese }
}

/** The texts in a language; English if there are none. */
export const textsIn = (language: string | null): VisitorTexts =>
  visitorTexts.get(language ?? 'en') ?? (visitorTexts.get('en') as VisitorTexts)
