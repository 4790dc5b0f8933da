/// <reference types="vite/types/importMeta.d.ts" />
import { z } from 'zod'
import { type LeadField, leadFields } from '../../../../engine/values/agentActions'
import { aiLanguages } from '../../../../engine/values/aiLanguages'
import { languageCodes } from '../../models/languageCodes'

/** What small talk may be. Of a message that is several at once, the last one here is answered. */
export const smallTalkKinds = ['greeting', 'fine', 'thanks', 'goodbye', 'howAreYou', 'about'] as const
export type SmallTalkKind = (typeof smallTalkKinds)[number]

const each = <Value extends z.ZodType>(value: Value) => z.record(z.enum(smallTalkKinds), value)
const visitorTextsSchema = z.strictObject({
  /** the sources do not hold the answer */
  notFound: z.string(),
  /** before sentences that may or may not answer */
  mayHelp: z.string(),
  /** no answer can be given now, for a reason that is the editor's */
  unavailable: z.string(),
  /** to small talk; `{name}` stands for whose chatbot it is */
  replies: each(z.string()),
  /** what small talk sounds like */
  said: each(z.array(z.string())),
  /** what a lead form asks for */
  fields: z.record(z.enum(leadFields), z.string()) satisfies z.ZodType<Record<LeadField, string>>,
})
/** What is said to visitors where no model speaks. */
export type VisitorTexts = z.infer<typeof visitorTextsSchema>

const files = import.meta.glob<unknown>('./texts/*.json', { import: 'default', eager: true })

/** In each language of a chatbot, by its code as `languageOf` has it. */
export const visitorTexts: ReadonlyMap<string, VisitorTexts> = new Map(
  Object.entries(files).map(([file, texts]) => [
    file.slice('./texts/'.length, -'.json'.length),
    visitorTextsSchema.parse(texts),
  ]),
)

/** Languages that are near enough, or have other names here. */
const NAMED: Readonly<Record<string, string>> = {
  'zh-Hans': 'zh',
  'zh-Hant': 'zh-tw',
  'pt-BR': 'pt',
  fil: 'tl',
  bs: 'hr',
}

/** The code of a language that is set, a name of engine/values/aiLanguages.ts; null where that of the question is meant. */
export function codeOf(set: string): string | null {
  const name = aiLanguages.find((language) => language === set)
  if (name === undefined || name === 'Auto') return null
  return NAMED[languageCodes[name]] ?? languageCodes[name]
}

/** The texts in a language; in English where there are none. */
export const textsIn = (language: string | null): VisitorTexts =>
  visitorTexts.get(language ?? 'en') ?? (visitorTexts.get('en') as VisitorTexts)
