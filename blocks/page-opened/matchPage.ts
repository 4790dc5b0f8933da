import type { PageRule } from './schema'

/**
 * Whether a page's address matches a rule. Case is ignored; `is` and wildcards ignore the fragment, a trailing slash,
 * and the query unless the rule has one. A rule that starts with a slash is compared with the path; one without
 * https:// with the address after it. In a wildcard `*` matches any text.
 */
export function matchesPage({ rule, url }: PageRule, page: string): boolean {
  const wanted = url.trim().toLowerCase()
  const address = page.trim().toLowerCase()
  if (wanted === '' || !/^https?:\/\//.test(address)) return false
  if (rule === 'contains') return address.includes(wanted)
  const exact = rule !== 'starts'
  const shown = partLike(wanted, exact ? withoutTail(address, wanted.includes('?')) : address)
  if (rule === 'starts') return shown.startsWith(wanted)
  const pattern = withoutTail(wanted, true)
  return rule === 'is' ? shown === pattern : matchesWildcard(pattern.split('*'), shown)
}

/** The part of the address that the rule describes. */
function partLike(wanted: string, address: string): string {
  const bare = address.replace(/^https?:\/\//, '')
  if (/^https?:\/\//.test(wanted)) return address
  if (!wanted.startsWith('/')) return bare
  const path = bare.indexOf('/')
  return path === -1 ? '' : bare.slice(path)
}

const withoutTail = (address: string, keepQuery: boolean): string => {
  const [page = ''] = address.split('#')
  const [path = '', ...query] = page.split('?')
  const bare = path.replace(/\/$/, '')
  return keepQuery && query.length > 0 ? `${bare}?${query.join('?')}` : bare
}

/** Matches the parts between the stars in order; each as early as possible, which is always correct. */
function matchesWildcard(parts: string[], text: string): boolean {
  const [first = '', ...rest] = parts
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length) return false
  let at = first.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
