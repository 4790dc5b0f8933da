import { languageOf } from '../../knowledge/retrieval/language'

/** Fewer words are often names, greetings, or words that many languages share. */
const LEAST_WORDS = 4
/** Scripts without spaces between words, of which a few letters tell. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]{4}/u

/** The language of what a visitor has written (ISO 639-1, or `zh-tw`); null where it is too little to tell. */
export async function writtenIn(text: string): Promise<string | null> {
  const words = text.slice(0, 1_000).match(/\p{L}{2,}/gu) ?? []
  return words.length < LEAST_WORDS && !UNSPACED.test(text) ? null : languageOf(text)
}
