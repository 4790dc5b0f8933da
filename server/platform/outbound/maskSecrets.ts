import type { HttpAnswer, HttpCall } from '../../../engine/effects/http'
import { cleanText } from '../../../engine/values/cleanText'
import type { Json } from '../../../engine/values/json'

/** Replaces a secret in a response. */
export const MASK = '••••'
/** A shorter secret is masked only if it is the whole value, since its letters occur anywhere. */
const SHORTEST = 6
/**
 * Only this much of a secret is searched for, and as much of its rest as follows is masked too: the time does not
 * depend on the length of secrets, and a part of one that is this long is masked as well.
 */
const HEAD = 64

export interface Mask {
  text(text: string): string
  /** for a text that was cut at its end: masks the beginning of a secret there, too */
  cut(text: string): string
  answer(answer: HttpAnswer): HttpAnswer
  /** all forms that it searches for */
  forms: readonly string[]
}

/**
 * Removes secrets from a response before anybody stores or sees it: literally, and in the encodings in which servers
 * echo requests (URLs, JSON, HTML, base64, hexadecimal).
 * @param values the secrets that were sent
 * @param auth of the call, with the values inserted
 */
export function createMask(values: Iterable<string>, auth: HttpCall['auth'] = null): Mask {
  const secrets = [...new Set(values)].filter((value) => value !== '')
  const long = secrets.filter((value) => value.length >= SHORTEST)
  const forms = [...new Set([...long.flatMap(formsOf), ...pairForms(auth, long)])]
    .filter((form) => form.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
  const short = new Set(secrets.filter((value) => value.length < SHORTEST))
  const heads = new Map<string, string[]>()
  for (const form of forms) {
    const head = form.slice(0, HEAD)
    heads.set(head, [...(heads.get(head) ?? []), form])
  }
  const pattern = forms.length === 0 ? null : new RegExp([...heads.keys()].map(escaped).join('|'), 'g')
  const least = Math.min(...forms.map((form) => form.length))

  const text = (whole: string): string => {
    if (short.size > 0 && short.has(whole.trim())) return MASK
    if (!pattern || whole.length < least) return whole
    let masked = ''
    let from = 0
    pattern.lastIndex = 0
    for (let match = pattern.exec(whole); match; match = pattern.exec(whole)) {
      const { index, 0: head } = match
      masked += whole.slice(from, index) + MASK
      from = index + agreement(whole, index, heads.get(head) ?? [], head.length)
      pattern.lastIndex = from
    }
    return masked + whole.slice(from)
  }
  const cut = (whole: string): string => {
    const masked = text(whole)
    const end = masked.endsWith('…') ? masked.length - 1 : masked.length
    const left = Math.max(0, ...forms.map((form) => beginningAt(masked, end, form)))
    return left < SHORTEST ? masked : masked.slice(0, end - left) + MASK + masked.slice(end)
  }
  const value = (json: Json): Json => {
    if (typeof json === 'string') return text(json)
    if (typeof json === 'number') return text(String(json)) === String(json) ? json : MASK
    if (json === null || typeof json !== 'object') return json
    if (Array.isArray(json)) return json.map(value)
    return Object.fromEntries(Object.entries(json).map(([key, part]) => [text(key), value(part)]))
  }
  return {
    text,
    cut,
    forms: [...forms, ...short],
    answer: (answer) => ({
      ...answer,
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, held]) => [text(name), text(held)])),
      body: typeof answer.body === 'string' ? cut(answer.body) : value(answer.body),
      ...(answer.error !== undefined && { error: maskError(answer.error, text, cut) }),
    }),
  }
}

/** Long addresses are cut in error texts: each piece before an ellipsis may end in the middle of a secret. */
const maskError = (error: string, text: Mask['text'], cut: Mask['cut']): string =>
  text(error)
    .split(/(?<=…)/)
    .map(cut)
    .join('')

/** How many characters of the form precede this position. */
function beginningAt(text: string, end: number, form: string): number {
  // longer ones have been masked already
  for (let length = Math.min(form.length - 1, HEAD - 1, end); length >= SHORTEST; length--)
    if (text.endsWith(form.slice(0, length), end)) return length
  return 0
}

/** How many characters of one of these forms are at this position, of which the first `known` are known. */
function agreement(text: string, at: number, forms: readonly string[], known: number): number {
  let length = known
  for (const form of forms) {
    if (form.length <= length || !text.startsWith(form.slice(0, length), at)) continue
    while (length < form.length && text[at + length] === form[length]) length++
  }
  return length
}

function formsOf(secret: string): string[] {
  const component = encodeURIComponent(cleanText(secret))
  const form = new URLSearchParams([['', secret]]).toString().slice(1)
  const plain = [secret, component, form, JSON.stringify(secret).slice(1, -1), html(secret), ...addressForms(secret)]
  return [...plain, ...plain.map(lowerHex), Buffer.from(secret).toString('hex'), ...base64Forms(secret)]
}

/** The user name and password of a call, as they are sent together. */
function pairForms(auth: HttpCall['auth'], secrets: readonly string[]): string[] {
  if (auth?.type !== 'basic') return []
  const pair = `${auth.username}:${auth.password}`
  if (!secrets.some((secret) => pair.includes(secret))) return []
  return [Buffer.from(pair).toString('base64'), Buffer.from(pair).toString('base64url')]
}

/** If a secret is an address, its path is the confidential part. */
function addressForms(secret: string): string[] {
  if (!/^https?:/i.test(secret) || !URL.canParse(secret)) return []
  const { href, pathname, search } = new URL(secret)
  return [href, pathname + search, pathname]
}

/**
 * Within longer base64, its letters depend on its offset modulo three; the letters at its ends contain bits of its
 * neighbours, too.
 */
function base64Forms(secret: string): string[] {
  return [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
    const from = before === 0 ? 0 : before + 1
    const to = Math.floor((bytes.length * 8) / 6)
    const whole = bytes.toString('base64').slice(from, to)
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

const html = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const lowerHex = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
