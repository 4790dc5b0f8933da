/// <reference types="vite/types/importMeta.d.ts" />
import { z } from 'zod'
import { findLanguage } from '../../../../engine/values/languages'
import { languageCandidates } from '../../../../engine/values/languageTags'

const textsSchema = z.strictObject({
  /** `{name}` is the chatbot's, `{person}` who answered */
  subject: z.string(),
  answered: z.string(),
  open: z.string(),
  reply: z.string(),
  earlier: z.string(),
  you: z.string(),
  unsubscribe: z.string(),
  unsubscribed: z.string(),
})
export type AnswerTexts = z.infer<typeof textsSchema>

const files = import.meta.glob<unknown>('./texts/*.json', { import: 'default', eager: true })
const byCode = new Map(
  Object.entries(files).map(([file, texts]) => [
    file.slice('./texts/'.length, -'.json'.length),
    textsSchema.parse(texts),
  ]),
)

export interface SpokenTexts {
  lang: string
  dir: 'ltr' | 'rtl'
  texts: AnswerTexts
}

/** The mails' own texts in the first language of these that there is, else in English. */
export function textsIn(languages: readonly (string | null)[]): SpokenTexts {
  const codes = [...languages.flatMap((language) => (language === null ? [] : languageCandidates(language))), 'en']
  const lang = codes.find((code) => byCode.has(code)) ?? 'en'
  return { lang, dir: findLanguage(lang)?.rtl ? 'rtl' : 'ltr', texts: byCode.get(lang) as AnswerTexts }
}

/** Fills in `{name}` and `{person}`. */
export const filledIn = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
