/** Other codes that browsers use for these languages. */
const ALIASES: Readonly<Record<string, string>> = { nb: 'no', nn: 'no', fil: 'tl', iw: 'he', in: 'id', bs: 'hr' }
const TRADITIONAL = /^zh-(?:hant|tw|hk|mo)\b/

/**
 * The codes of `languages.ts` that match a language tag of a browser or setting (`pt-BR`, `zh-Hant-HK`, `nb`), the most
 * specific first: `pt-br`, then `pt`. For Chinese the script matters, which the region implies.
 */
export function languageCandidates(language: string): string[] {
  const name = language.trim().toLowerCase().replaceAll('_', '-')
  if (name === '' || name.length > LONGEST_TAG) return []
  if (name === 'zh' || name.startsWith('zh-')) return [TRADITIONAL.test(name) ? 'zh-tw' : 'zh-cn', 'zh']
  const [base = '', ...parts] = name.split('-')
  const known = ALIASES[base] ?? base
  return [...parts.keys()].map((at) => [known, ...parts.slice(0, parts.length - at)].join('-')).concat(known)
}

/** BCP 47 sets no limit; RFC 5646, 4.4.1 asks for at least 35 characters. */
const LONGEST_TAG = 35
