import { isExternalUrl } from '../../../engine/values/url'

/** What a form's entries are checked for before they are sent (SPEC.md 5, general format rules). */
export const isEmail = (entry: string): boolean => /^[^\s@]+@[^\s@]+\.\p{L}{2,}$/u.test(entry)

export const isPhone = (entry: string): boolean => /^\+?[\d\s-]*\d$/.test(entry) && /\d{4}/.test(entry)

export const isNumber = (entry: string): boolean => /^[+-]?(?:\d+(?:\.\d+)?|\.\d+)$/.test(entry)

export const isUrl = isExternalUrl

/** What a conversation takes of a text at most, whatever is asked. */
export const LONGEST = 20_000

/** How much of its room a text takes; null while there is plenty. */
export const roomOf = (length: number, most: number): string | null =>
  length > most * 0.8 ? `${length} / ${most}` : null
