/**
 * The chat's language as the visitor's browser has it: 14:05 for who reads English in Britain, 2:05 PM for who does in the
 * United States. The language itself where the browser asks for none of its regions.
 */
export function regional(language: string): string {
  const base = language.split('-', 1)[0]
  return language === base ? (navigator.languages.find((one) => one.split('-', 1)[0] === base) ?? language) : language
}
