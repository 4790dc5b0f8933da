import type { Kept } from './httpTransport'
import { withOwnTexts } from './ownTexts'
import { isSpoken, loadTexts, type SpokenTexts, textLanguageOf } from './texts'
import type { ChatPage } from './types'

/**
 * Which language the chat's own texts are in (SPEC.md 9, Auto): the one that is set; where none is, the browser's, and
 * from the visitor's first words in another one on that one.
 */
export interface Speech {
  /**
   * has the page speak it
   * @param had texts that are there already, with an editor's own among them
   */
  of(page: Pick<ChatPage, 'language' | 'texts'>, had?: SpokenTexts | null): Promise<SpokenTexts>
  /** @returns whether what the visitor writes is another language than what was spoken so far */
  heard(language: string): boolean
}

const primary = (language: string): string => language.split('-')[0] ?? ''

/** @param kept where the language is remembered that the visitor writes in */
export function createSpeech(slug: string, kept: Kept): Speech {
  const key = `parley:language:${slug}`
  const visitors = () => kept.getItem(key) ?? navigator.language
  return {
    async of({ language, texts }, had) {
      const wanted = language === 'auto' ? visitors() : language
      const known = had?.language === textLanguageOf(wanted) ? had : null
      const spoken = known ?? withOwnTexts(await loadTexts(wanted), texts)
      Object.assign(document.documentElement, { lang: spoken.language, dir: spoken.dir })
      return spoken
    },
    heard(language) {
      if (!isSpoken(language) || primary(textLanguageOf(visitors())) === primary(language)) return false
      kept.setItem(key, language)
      return true
    },
  }
}
