import { caps } from './caps'
import { normalText } from './normalText'
import { parsePhone } from './parsePhone'
import { parseEmail, parseNumber, parseUrl } from './rules'
import { writtenDates } from './writtenDates'

/** E-mail addresses in a text, in order. */
export const findEmails = (text: string): string[] =>
  distinct([...text.matchAll(EMAIL)].map(([found]) => parseEmail(found)))

/** Web addresses, including those that start with `www.`. */
export const findUrls = (text: string): string[] =>
  distinct([...text.matchAll(URLS)].map(([found]) => parseUrl(withScheme(withoutEnd(found)))))

/** Phone numbers: in E.164 if they have a country code, otherwise their digits (7 to 15). */
export const findPhones = (text: string): string[] =>
  distinct([...blank(text, EMAIL, URLS, DATES, TIMES).matchAll(PHONE)].map(([found]) => phoneOf(found)))

/** Dates, as ISO 8601. */
export const findDates = (text: string): string[] => distinct(writtenDates(text).map(({ date }) => date))

/** Numbers with any thousands and decimal separators; without dates, times, and digits within words. */
export const findNumbers = (text: string): number[] =>
  distinct([...blank(text, EMAIL, URLS, DATES, TIMES).matchAll(NUMBER)].map(([found]) => numberOf(found)))

/** Whether a text means yes or no; null if neither or both. */
export function findYesNo(text: string): boolean | null {
  const words: string[] = plain(text).match(/[\p{L}\p{M}']+/gu) ?? []
  const yes = words.some((word) => YES.has(word))
  const no = words.some((word) => NO.has(word))
  return yes === no ? null : yes
}

/**
 * The label that a text names, ignoring case and accents; null if none or several. Of `Pro` and `Pro plus`, the longer
 * one.
 */
export function findChoice(text: string, labels: readonly string[]): string | null {
  let rest = plain(text)
  const named: string[] = []
  for (const label of [...labels].sort((a, b) => b.length - a.length)) {
    const found = plain(label).trim() === '' ? null : wholeWords(plain(label).trim())
    if (!found?.test(rest)) continue
    named.push(label)
    rest = rest.replaceAll(found, ' | ')
  }
  return named.length === 1 ? (named[0] ?? null) : null
}

/** The text with its phone numbers blanked out. */
export const withoutPhones = (text: string): string =>
  text.replace(PHONE, (found) => (phoneOf(found) === null ? found : ' '.repeat(found.length)))

const EMAIL = /(?<![^\s<>()[\],;:\\"'|])[^\s<>()[\],;:\\"'|]{1,64}@[\p{L}\p{N}.-]*[\p{L}\p{N}]/gu
const URLS = /(?:https?:\/\/|(?<![\p{L}\p{N}.@/-])www\.)[^\s<>"]+/giu
const PHONE = /(?<![\p{L}\p{N}])(?:\+|\(\+?)?\d(?:[ ().\u00a0/-]{0,2}\d){6,14}(?![\p{L}\p{N}])/gu
const TIMES = /(?<!\d)\d{1,2}:\d{2}(?::\d{2})?/g
const NUMBER =
  /(?<![\p{L}\p{N}.,])(?:(?<![\p{N}]\s?)[-+−])?(?:\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?:[.,]\d+)?|\d+(?:[.,]\d+)*)(?!\p{L}{2,}\d|\p{N})/gu
const DATES = 'dates'

/** Blanks out matches, so that nothing is found twice as different things. */
function blank(text: string, ...patterns: (RegExp | typeof DATES)[]): string {
  return patterns.reduce<string>((rest, pattern) => {
    if (pattern !== DATES) return rest.replace(pattern, (found) => ' '.repeat(found.length))
    return writtenDates(rest).reduce(
      (left, { at, length }) => left.slice(0, at) + ' '.repeat(length) + left.slice(at + length),
      rest,
    )
  }, text)
}

const withoutEnd = (url: string): string => url.replace(/[.,;:!?'’”»\])}*]+$/u, '')
const withScheme = (url: string): string => (/^https?:/i.test(url) ? url : `https://${url}`)

function phoneOf(found: string): string | null {
  const number = found.replace(/[^\d+]/g, '')
  if (number.startsWith('+')) return parsePhone(number)
  return number.length > 15 || number.length > caps.phone ? null : number
}

/**
 * `1,234.5`, `1.234,5`, `1 234,5`, `12,5`: the last separator is the decimal one, unless separators only group
 * thousands.
 */
function numberOf(found: string): number | null {
  const text = found.replace(/[ \u00a0\u202f'’]/g, '').replace('−', '-')
  const marks = text.match(/[.,]/g) ?? []
  const inThousands = /^[-+]?\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.test(text) && (marks[0] === ',' || marks.length > 1)
  if (inThousands) return parseNumber(text.replace(/[.,]/g, ''))
  const decimal = Math.max(text.lastIndexOf('.'), text.lastIndexOf(','))
  if (decimal < 0) return parseNumber(text)
  const mark = text[decimal]
  if (marks.filter((each) => each === mark).length > 1) return null
  return parseNumber(`${text.slice(0, decimal).replace(/[.,]/g, '')}.${text.slice(decimal + 1)}`)
}

/** In lower case, without accents. */
const plain = (text: string): string => normalText(text, 'NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Scripts that don't separate words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

function wholeWords(label: string): RegExp {
  const escaped = label.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replace(/\s+/g, String.raw`\s+`)
  const edge = (character = '') =>
    /[\p{L}\p{N}]/u.test(character) && !UNSPACED.test(character) ? '[\\p{L}\\p{N}]' : ''
  const before = edge(label[0])
  const after = edge(label.at(-1))
  return new RegExp(`${before && `(?<!${before})`}${escaped}${after && `(?!${after})`}`, 'gu')
}

const distinct = <Value>(values: (Value | null)[]): Value[] => [
  ...new Set(values.filter((value): value is Value => value !== null)),
]

const YES = new Set(
  'yes yeah yep yup sure ok okay certainly definitely absolutely ja jawohl klar gerne oui ouais si claro vale sim certo tak да так evet ano ya hai'.split(
    ' ',
  ),
)
const NO = new Set(
  "no nope nah not don't dont never nein nicht kein non pas não nao nunca nie нет ні hayır hayir ne tidak nee nej nei".split(
    ' ',
  ),
)
