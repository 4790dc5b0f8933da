import type { AnyBlock } from '../flow/defineBlock'
import type { Json } from '../values/json'
import { languageCandidates } from '../values/languageTags'
import { blockTexts, withTexts } from './blockTexts'
import type { Languages, Translations, VisitorText } from './translation'

/** Use the main texts only. */
export const MAIN_ONLY: readonly string[] = []

/**
 * The languages to use for a visitor, the best first; texts without any of them are in the main language. For a visitor
 * with `pt-br`: that, then `pt`, then the main language if it is either, then another variant of Portuguese.
 */
export function spokenLanguages(visitor: string, { main, others }: Languages): readonly string[] {
  const candidates = languageCandidates(visitor)
  const base = candidates.at(-1)
  if (base === undefined) return MAIN_ONLY
  const spoken: string[] = []
  for (const code of candidates) {
    if (code === main) return spoken
    if (others.includes(code)) spoken.push(code)
  }
  if (baseOf(main) === base) return spoken
  return [...spoken, ...others.filter((code) => baseOf(code) === base && !spoken.includes(code)).sort()]
}

const baseOf = (code: string): string => code.split('-')[0] ?? ''

/**
 * A block's data with each text in the first of the languages that it has; otherwise the main text. Skips a translation
 * that the kind's schema rejects, such as one that is too long.
 * @returns null if none of its texts is translated into any of the languages
 */
export function spokenData(
  definition: AnyBlock,
  data: unknown,
  translations: Translations,
  languages: readonly string[],
): unknown {
  const main = data as Record<string, Json>
  const texts = new Map<string, VisitorText>()
  for (const { place, text } of blockTexts(main, definition.visitorTexts)) {
    for (const language of languages) {
      const translated = translations[language]?.[place]?.text
      if (!translated || Array.isArray(translated) !== Array.isArray(text)) continue
      texts.set(place, translated)
      break
    }
  }
  if (texts.size === 0) return null
  const said = (some: ReadonlyMap<string, VisitorText>) =>
    definition.schema.safeParse(withTexts(main, definition.visitorTexts, some))
  const all = said(texts)
  if (all.success) return all.data
  const valid = new Map([...texts].filter(([place, text]) => said(new Map([[place, text]])).success))
  return said(valid).data ?? null
}
