import { type CountryCode, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { visitorCaps } from './caps'
import { isPhone } from './rules'

/**
 * A phone number in E.164 (`+4930123456`). It must have the format of SPEC.md 5 and a length that its country has numbers of: which
 * ranges are in use changes faster than any list, and to refuse a number that exists is worse than to take one that does not.
 * @param country whose numbers may be written without their country's code; null: all need one
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
