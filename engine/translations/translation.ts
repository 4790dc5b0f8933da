import { z } from 'zod'
import { caps } from '../values/caps'
import { dynamicValueSchema } from '../values/dynamicValue'
import { richTextSchema } from '../values/richText'

/** The code of a language: BCP 47 in lower case. */
export const languageCodeSchema = z.string().regex(/^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,3}$/)

/** Languages beside the main one; ours. */
export const MAX_LANGUAGES = 50

/** What a chatbot speaks. It stands in the main flow, and counts for all flows. */
export const languagesSchema = z.strictObject({
  /** that of the texts that stand in the blocks themselves */
  main: languageCodeSchema,
  others: z.array(languageCodeSchema).max(MAX_LANGUAGES),
})
export type Languages = z.infer<typeof languagesSchema>

const visitorTextSchema = z.union([richTextSchema(caps.text), dynamicValueSchema(caps.text)])
/** A text for visitors: rich, or of one line. */
export type VisitorText = z.infer<typeof visitorTextSchema>

export const translationSchema = z.strictObject({
  text: visitorTextSchema,
  /** the fingerprint of the main text that it was made of: once that is another one, the translation is outdated */
  of: z.string().max(32),
  /** written by a model, and nobody has looked at it yet */
  by: z.literal('model').optional(),
})
export type Translation = z.infer<typeof translationSchema>

/** Where a text stands in its block: `prompt`, or `options.<id>.label` within a list. */
export const placeSchema = z.string().regex(/^[A-Za-z0-9_-]{1,64}(?:\.[A-Za-z0-9_-]{1,64}){0,8}$/)

/** A block's translations, by language and place. */
export const translationsSchema = z.record(languageCodeSchema, z.record(placeSchema, translationSchema))
export type Translations = z.infer<typeof translationsSchema>
