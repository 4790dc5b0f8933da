import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min'
import { expect, test } from 'vitest'
import { parsePhone } from './parsePhone'
import { callingCode, isPhoneCountry, phoneCountries } from './phone'

test.each<[string, string | null, string | null]>([
  ['+49 30 123456', null, '+4930123456'],
  ['+49-30-123456', 'US', '+4930123456'],
  ['030 123456', 'DE', '+4930123456'],
  ['0170 1234567', 'DE', '+491701234567'],
  ['212-555-0123', 'US', '+12125550123'],
  ['+1 2125550123', null, '+12125550123'],
  ['06 1234 5678', 'IT', '+390612345678'],
  ['0049 30 123456', 'DE', '+4930123456'],
  ['030 123456', null, null],
  ['030 123456', 'nowhere', null],
  ['+49', 'DE', null],
  ['+999 12345678', null, null],
  ['1234', 'DE', '+491234'],
  ['(030) 123456', 'DE', null],
  ['+49 30 12 34 56', null, null],
  ['', 'DE', null],
  ['call me', 'DE', null],
  ['+49 30 1234567890123456', 'DE', null],
  [`+49 30 1234${' '.repeat(20)}56`, 'DE', null],
])('a phone number %j from %j -> %j', (input, country, expected) => {
  expect(parsePhone(input, country)).toBe(expected)
})

test('countries are known by their codes', () => {
  expect(phoneCountries).toContain('DE')
  expect(isPhoneCountry('de')).toBe(false)
  expect([callingCode('DE'), callingCode('nowhere')]).toEqual(['49', ''])
})

test('the countries and their codes are those of the library that reads numbers', () => {
  expect(phoneCountries.map((code) => [code, callingCode(code)])).toEqual(
    [...getCountries()].sort().map((code) => [code, getCountryCallingCode(code)]),
  )
})
