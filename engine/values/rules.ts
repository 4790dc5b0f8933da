import { isExternalUrl, isMediaUrl } from './url'

/** The messages of SPEC.md 5; the one for numbers is ours, in the same words. */
export const ruleMessages = {
  url: 'Enter a valid URL (must start with https:// or http://)',
  email: 'Enter a valid email address',
  number: 'Enter a valid number',
  text: 'Enter a value',
} as const

/** SPEC.md 5: the builder's range of numbers. */
export const NUMBER_RANGE = { min: -999_999_999, max: 999_999_999 } as const

/** The rule of URL fields, in the shape that `dynamicValueSchema` takes. */
export const urlRule = { test: isExternalUrl, message: ruleMessages.url }

/** Likewise for what is shown, which may have been uploaded here. */
export const mediaUrlRule = { test: isMediaUrl, message: ruleMessages.url }

/**
 * An e-mail address as SPEC.md 5 has it: text, @, domain, dot, two or more letters; trimmed; at most `max` characters.
 * @returns the trimmed address, or null
 */
export function parseEmail(input: string, max = 320): string | null {
  const email = input.trim()
  if (email.length > max) return null
  const at = email.lastIndexOf('@')
  const local = email.slice(0, at)
  const labels = email.slice(at + 1).split('.')
  const topLevel = labels.at(-1) ?? ''
  const wellFormed =
    at > 0 &&
    !/[\s@<>()[\],;:\\"]/.test(local) &&
    labels.length >= 2 &&
    labels.every((label) => /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u.test(label)) &&
    /^(?:\p{L}{2,}|xn--[a-z0-9-]+)$/iu.test(topLevel)
  return wellFormed ? email : null
}

/**
 * A number as SPEC.md 5 has it: trimmed, leading zeros dropped, digits with an optional sign and decimal point; integer mode
 * refuses decimals; `min` and `max` narrow the builder's range.
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
