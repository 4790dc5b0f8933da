/**
 * The chat's language in the region of the visitor's browser: 14:05 in British English, 2:05 PM in American English.
 * The language itself where the browser asks for none of its regions.
 */
export function regional(language: string): string {
  const base = language.split('-', 1)[0]
  return language === base ? (navigator.languages.find((one) => one.split('-', 1)[0] === base) ?? language) : language
}
