import { englishPage } from './pageTexts'
import { english, type SpokenTexts } from './texts'

/** By language and key, as editors write them. */
type OwnTexts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** All that editors can replace, by key, in English: what stands in braces is filled in by the chat. */
export const replaceable: Readonly<Record<string, string>> = { ...english, ...englishPage }

/** The texts of a language with an editor's own in place of some. Keys that are none of ours are passed over. */
export function withOwnTexts(spoken: SpokenTexts, own: OwnTexts): SpokenTexts {
  const written = Object.entries(own[spoken.language] ?? {}).filter(
    ([key, text]) => text && Object.hasOwn(replaceable, key),
  )
  return { ...spoken, texts: { ...spoken.texts, ...Object.fromEntries(written) } }
}
