import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { visitorCaps } from './caps'
import { isPhone } from './rules'

/**
 * Parses a phone number to E.164 (`+4930123456`). It must have the format of SPEC.md 5 and a possible length for its
 * country. The ranges in use are not checked: they change faster than any list, and refusing an existing number is
 * worse than accepting a wrong one.
 * @param country whose numbers may be written without country code; null: all need one
 * @returns the number, or null
 */
export function parsePhone(input: string, country: string | null = null): string | null {
  const text = input.trim()
  if (text.length > visitorCaps.phone || !isPhone(text)) return null
  const number = parsePhoneNumberFromString(text, knownCountry(country))
  return number?.isPossible() ? number.number : null
}

const knownCountry = (country: string | null): CountryCode | undefined =>
  country !== null && isSupportedCountry(country) ? country : undefined
