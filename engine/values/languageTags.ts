/** Other names that browsers have for these languages. */
const ALIASES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', fil: 'tl', iw: 'he', in: 'id', bs: 'hr' }
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/

/**
 * A language as browsers and settings name it (`pt-BR`, `zh-Hant-HK`, `nb`), by the codes of `languages.ts`, the narrowest first: `pt-br`, then
 * `pt`. Chinese is told apart by its script, which the region stands for.
 */
export function languageCandidates(language: string): string[] {
  const name = language.trim().toLowerCase().replaceAll('_', '-')
  if (name === '' || name.length > LONGEST_TAG) return []
  if (name === 'zh' || name.startsWith('zh-')) return [TRADITIONAL.test(name) ? 'zh-tw' : 'zh-cn', 'zh']
  const [base = '', ...parts] = name.split('-')
  const known = ALIASES[base] ?? base
  return [...parts.keys()].map((at) => [known, ...parts.slice(0, parts.length - at)].join('-')).concat(known)
}

/** BCP 47 has no cap; the interface takes 35 characters (RFC 5646, 4.4.1). */
const LONGEST_TAG = 35
