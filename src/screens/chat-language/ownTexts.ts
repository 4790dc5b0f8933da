import { suggestionTexts } from '../../../engine/values/suggestionTexts'
import type { LanguageSettings } from '../../../server/contracts/web/settings'
import { languageSchema } from '../../../server/contracts/web/settings'
import { replaceable as shown } from '../../widget/ownTexts'

/** With what the server says in the visitor's language. */
const replaceable: Readonly<Record<string, string>> = { ...shown, ...suggestionTexts('en') }

/** The texts that editors can replace, by key, in English: what stands in braces is filled in by the chat. */
export const chatTexts: readonly (readonly [key: string, text: string])[] = Object.entries(replaceable)

const slotsIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? []

/** What a text of one's own lacks of what the chat fills in, such as `{email}`. */
export const missingSlots = (key: string, own: string): string[] =>
  slotsIn(replaceable[key] ?? '').filter((slot) => !own.includes(slot))

/** Puts a text of one's own in place of another; an empty one gives the chat's own back. */
export function withText(texts: LanguageSettings['texts'], code: string, key: string, text: string) {
  const { [key]: _, ...others } = texts[code] ?? {}
  const next = { ...texts, [code]: text === '' ? others : { ...others, [key]: text } }
  return Object.fromEntries(Object.entries(next).filter(([, own]) => Object.keys(own).length > 0))
}

/** The settings, with a problem at each text that would lose what the chat fills in. */
export const ownTextsSchema = languageSchema.superRefine(({ texts }, context) => {
  for (const [code, own] of Object.entries(texts))
    for (const [key, text] of Object.entries(own))
      for (const slot of missingSlots(key, text).slice(0, 1))
        context.addIssue({ code: 'custom', path: ['texts', code, key], message: `Must contain ${slot}` })
})
