import { isExternalUrl, isMediaUrl } from './url'

/** The messages of SPEC.md 5; those for numbers, dates and files are ours, in the same style. */
export const ruleMessages = {
  url: 'Enter a valid URL (must start with https:// or http://)',
  email: 'Enter a valid email address',
  phone: 'Enter a valid phone number',
  ticketId: 'Enter a valid ticket ID',
  id: 'Enter a valid ID',
  userId: 'Enter a valid user ID',
  number: 'Enter a valid number',
  text: 'Enter a value',
} as const

/** @param host an example of the domain's use */
export const domainMessage = (host: string): string => `Enter a valid domain (such as ${host})`

/** The builder's range of numbers (SPEC.md 5). */
export const NUMBER_RANGE = { min: -999_999_999, max: 999_999_999 } as const

/**
 * A rule for a field, in the shape that `dynamicValueSchema` takes: not applied to empty texts, nor to those with
 * variables.
 */
export interface Rule {
  test: (value: string) => boolean
  message: string
}

/** The rule of URL fields. */
export const urlRule: Rule = { test: isExternalUrl, message: ruleMessages.url }

/** The same for media, which may be uploaded files. */
export const mediaUrlRule: Rule = { test: isMediaUrl, message: ruleMessages.url }

export const emailRule: Rule = { test: (value) => parseEmail(value) !== null, message: ruleMessages.email }

/** Phone fields of blocks: only digits and plus. */
export const phoneRule: Rule = {
  test: (value) => /^[+\d]+$/.test(value) && /\d/.test(value),
  message: ruleMessages.phone,
}

/** The phone of a CRM contact may also contain spaces. */
export const contactPhoneRule: Rule = {
  test: (value) => /^[+\d ]+$/.test(value) && /\d/.test(value),
  message: ruleMessages.phone,
}

export const ticketIdRule: Rule = { test: (value) => /^\d+$/.test(value), message: ruleMessages.ticketId }

/** Ids of external objects, unless the vendor specifies another format (PRODUCT.md, vendors). */
export const idRule: Rule = { test: (value) => /^\d+$/.test(value), message: ruleMessages.id }

/** Salesforce's ids: 15 signs, which tell capitals apart, or 18. */
export const salesforceIdRule: Rule = {
  test: (value) => /^[A-Za-z0-9]{15}(?:[A-Za-z0-9]{3})?$/.test(value),
  message: ruleMessages.id,
}

export const userIdRule: Rule = { test: (value) => /^[a-z0-9-]+$/.test(value), message: ruleMessages.userId }

export const domainRule = (host: string): Rule => ({
  test: (value) => parseDomain(value) !== null,
  message: domainMessage(host),
})

/**
 * Validates an e-mail address by SPEC.md 5: text, @, domain, dot, two or more letters; trimmed; at most `max`
 * characters.
 * @returns the trimmed address, or null
 */
export function parseEmail(input: string, max = 320): string | null {
  const email = input.trim()
  if (email.length > max) return null
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const wellFormed = at > 0 && !/[\s@<>()[\],;:\\"]/.test(local) && isHost(email.slice(at + 1))
  return wellFormed ? email : null
}

/** Labels of letters, digits and inner hyphens, separated by dots, the last of two or more letters. */
function isHost(host: string): boolean {
  const labels = host.split('.')
  return (
    labels.length >= 2 &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(label)) &&
    /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/iu.test(labels.at(-1) ?? '')
  )
}

/**
 * Validates a phone number's format by SPEC.md 5: an optional single leading +, then only digits, spaces and dashes, a
 * digit at the end, and four or more digits in a row somewhere. Trimmed. parsePhone.ts checks whether such a number is
 * possible.
 */
export const isPhone = (input: string): boolean => {
  const text = input.trim()
  return /^\+?[\d -]*\d$/.test(text) && /\d{4}/.test(text)
}

/**
 * Parses a number by SPEC.md 5: trimmed, leading zeros dropped, digits with an optional sign and decimal point; integer
 * mode refuses decimals; `min` and `max` narrow the builder's range.
 * @returns the number, or null
 */
export function parseNumber(
  input: string,
  limits: { integer?: boolean; min?: number; max?: number } = {},
): number | null {
  const text = input.trim()
  if (text.length > 64 || !/^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return null
  const number = Number(text)
  if (limits.integer && !/^[+-]?\d+$/.test(text)) return null
  if (number < (limits.min ?? NUMBER_RANGE.min) || number > (limits.max ?? NUMBER_RANGE.max)) return null
  return number === 0 ? 0 : number
}

/** The message for a number or date outside the limits, or null without limits. */
export function limitMessage<Limit extends number | string>({ min, max }: { min?: Limit; max?: Limit }): string | null {
  if (min !== undefined && max !== undefined) return `Must be from ${min} to ${max}`
  if (min !== undefined) return `Must be at least ${min}`
  return max === undefined ? null : `Must be at most ${max}`
}

/**
 * Validates a web address by SPEC.md 5: http or https, a host with a dot and an alphabetic top-level domain of two or
 * more letters; trimmed; at most `max` characters. IP addresses and addresses with a user name are invalid.
 * @param allow `localhost`: that host too; `wildcard`: one `*` in the host
 * @returns the trimmed address, or null
 */
export function parseUrl(
  input: string,
  allow: { localhost?: boolean; wildcard?: boolean; max?: number } = {},
): string | null {
  const url = input.trim()
  if (url.length > (allow.max ?? 2_048)) return null
  const [, host = ''] = /^https?:\/\/([^\s/?#:@\\]+)(?::\d{1,5})?(?:[/?#]\S*)?$/i.exec(url) ?? []
  // a wildcard replaces letters of a label
  const plain = allow.wildcard ? host.replace('*', 'x') : host
  return isHost(plain) || (allow.localhost === true && /^localhost$/i.test(host)) ? url : null
}

/**
 * Validates a domain: labels of letters, digits and hyphens, no two hyphens in a row and none at either end (SPEC.md
 * 5); trimmed, in lower case.
 * @returns the domain, or null
 */
export function parseDomain(input: string): string | null {
  const domain = input.trim().toLowerCase()
  const wellFormed = domain.length <= 253 && /^[a-z0-9.-]+$/.test(domain) && isHost(domain)
  return wellFormed && !domain.includes('--') ? domain : null
}

/**
 * Validates a booking link (SPEC.md 5): https, the service's domain or a subdomain, then a path of letters, digits,
 * dots and dashes.
 * @param host the booking service's domain
 * @returns the trimmed link, or null
 */
export function parseBookingLink(input: string, host: string): string | null {
  const link = input.trim()
  const [, named = ''] = /^https:\/\/([a-z0-9.-]+)(?:\/[a-z0-9.-]+)+\/?$/i.exec(link) ?? []
  const domain = parseDomain(named)
  return domain === host || domain?.endsWith(`.${host}`) ? link : null
}
