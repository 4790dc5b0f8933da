import i18next from 'i18next'

const NUMBER = /\d[\d.,]*/

/**
 * What the server says, and what its schemas say against a field before it is asked, in the interface's language:
 * `serverTexts.json` has it by the English wording, with `#` for a number. What is not there stays in English.
 */
export function inOwnLanguage(text: string): string {
  const { language } = i18next
  const texts: Readonly<Record<string, string>> | undefined =
    language && language !== 'en' ? i18next.getResourceBundle(language, 'serverTexts') : undefined
  if (!texts) return text
  const [number] = NUMBER.exec(text) ?? []
  return texts[text] ?? (number && texts[text.replace(number, '#')]?.replace('#', number)) ?? text
}

/** Loads them for any other language than English; until they are there, English is shown. */
export function loadServerTexts(language: string): void {
  if (language !== 'en') void i18next.loadNamespaces('serverTexts')
}
