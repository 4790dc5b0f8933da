import type { AnyBlock } from '../flow/defineBlock'
import type { Json } from '../values/json'
import { languageCandidates } from '../values/languageTags'
import { blockTexts, withTexts } from './blockTexts'
import type { Languages, Translations, VisitorText } from './translation'

/** Nothing but the main texts. */
export const MAIN_ONLY: readonly string[] = []

/**
 * The languages in which a visitor is spoken to, the best first; where a text has none of them, the main one is said. A visitor of
 * `pt-br` gets it, else `pt`, else the main language where it is either, else another Portuguese.
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
 * A block's data with its texts in the first of the languages that has each. The main data where there is nothing to change. A translation
 * that the kind would refuse, such as one that is too long, is left out.
 * @returns null where none of the languages has any of its texts
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
