import {
  type CountryCode,
  getCountries,
  getCountryCallingCode,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min'
import { visitorCaps } from './caps'
import { isPhone } from './rules'

/** Countries that have numbers of their own, by their ISO 3166 codes. */
export const phoneCountries: readonly string[] = [...getCountries()].sort()

export const isPhoneCountry = (code: string): code is CountryCode => phoneCountries.includes(code)

/** `49` for `DE`. */
export const callingCode = (country: string): string => (isPhoneCountry(country) ? getCountryCallingCode(country) : '')

/**
 * A phone number in E.164 (`+4930123456`). It must have the format of SPEC.md 5 and a length that its country has numbers of: which
 * ranges are in use changes faster than any list, and to refuse a number that exists is worse than to take one that does not.
 * @param country whose numbers may be written without their country's code; null: all need one
 * @returns the number, or null
 */
export function parsePhone(input: string, country: string | null = null): string | null {
  const text = input.trim()
  if (text.length > visitorCaps.phone || !isPhone(text)) return null
  const number = parsePhoneNumberFromString(text, country !== null && isPhoneCountry(country) ? country : undefined)
  return number?.isPossible() ? number.number : null
}
