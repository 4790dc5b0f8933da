/** Bytes at the start in which a text may declare its charset. */
const SAID_WITHIN = 4_096
/** One broken sequence among this many valid ones is a typo, not another charset. */
const SLIPS = 20

/** Charsets used before UTF-8, by language, likeliest first. */
const OLD: Record<string, string[]> = {
  ja: ['shift_jis', 'euc-jp'],
  zh: ['gb18030', 'big5'],
  ko: ['euc-kr'],
  ...Object.fromEntries(['ru', 'uk', 'be', 'bg', 'sr', 'mk'].map((language) => [language, ['windows-1251']])),
  ...Object.fromEntries(
    ['pl', 'cs', 'sk', 'hu', 'sl', 'hr', 'ro', 'sq'].map((language) => [language, ['windows-1250']]),
  ),
  ...Object.fromEntries(['et', 'lv', 'lt'].map((language) => [language, ['windows-1257']])),
  el: ['windows-1253'],
  tr: ['windows-1254'],
  he: ['windows-1255'],
  ar: ['windows-1256'],
  fa: ['windows-1256'],
  vi: ['windows-1258'],
  th: ['windows-874'],
}

/**
 * Decodes bytes by their byte order mark, otherwise by the server's header, otherwise by the text's own declaration; if
 * the bytes contradict that, by detection: UTF-8 by its form, an older charset by the page's language.
 */
export function decodeText(bytes: Uint8Array, contentType = ''): string {
  const marked = byMark(bytes)
  if (marked) return decode(bytes, marked)
  const head = Buffer.from(bytes.subarray(0, SAID_WITHIN)).toString('latin1')
  const said = [/charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1], byItself(head)].filter(isKnown)
  const form = utf8Form(bytes)
  if (form.good > 0 && form.bad * SLIPS <= form.good) return decode(bytes, 'utf-8')
  // text without bytes above 127 may still be in a 7-bit charset
  const legacy = said.find((label) => new TextDecoder(label).encoding !== 'utf-8')
  if (legacy) return decode(bytes, legacy)
  return form.bad === 0 ? decode(bytes, 'utf-8') : decode(bytes, oldCharset(bytes, head))
}

const decode = (bytes: Uint8Array, label: string): string => new TextDecoder(label).decode(bytes)

/** By byte order mark; or UTF-16 without one, by zeros in every second byte. */
function byMark(bytes: Uint8Array): string | null {
  const [a, b, c] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const sample = bytes.subarray(0, 200)
  const zeros = [0, 0]
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  })
  const [even = 0, odd = 0] = zeros
  if (odd > sample.length / 4 && even < odd / 10) return 'utf-16le'
  return even > sample.length / 4 && odd < even / 10 ? 'utf-16be' : null
}

/** The page's own declaration. Having been readable so far, it is not UTF-16. */
function byItself(head: string): string | undefined {
  const [, label] =
    /<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head) ??
    /^\s*<\?xml[^>]{0,100}encoding\s*=\s*["']([\w.:-]+)/i.exec(head) ??
    []
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label
}

function isKnown(label: string | undefined): label is string {
  if (!label) return false
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Counts valid multi-byte UTF-8 sequences, and invalid bytes above 127. */
function utf8Form(bytes: Uint8Array): { good: number; bad: number } {
  let good = 0
  let bad = 0
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0
    if (first < 0x80) continue
    const more =
      first >= 0xc2 && first < 0xe0 ? 1 : first >= 0xe0 && first < 0xf0 ? 2 : first >= 0xf0 && first < 0xf5 ? 3 : 0
    let found = 0
    while (found < more && ((bytes[at + found + 1] ?? 0) & 0xc0) === 0x80) found++
    // a truncated body may end within a character
    if (more > 0 && (found === more || at + found + 1 >= bytes.length)) good++
    else bad++
    at += found
  }
  return { good, bad }
}

function oldCharset(bytes: Uint8Array, head: string): string {
  const language = /<html[^>]{0,300}?\blang\s*=\s*["']?([a-z]{2})/i.exec(head)?.[1]?.toLowerCase() ?? ''
  const fits = (label: string): boolean => {
    try {
      new TextDecoder(label, { fatal: true }).decode(bytes)
      return true
    } catch {
      return false
    }
  }
  const candidates = OLD[language]
  return candidates?.find(fits) ?? candidates?.[0] ?? 'windows-1252'
}
