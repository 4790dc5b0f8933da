import { expect, test } from 'vitest'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { importBlock } from '../../tests/support/typebot'
import { phoneInputDefaults, phoneInputSchema } from './schema'

const data = (change: object = {}) => ({ ...phoneInputDefaults(), saveTo: 'phone', ...change })

test('keeps the number in E.164', () => {
  const kept = (text: string, country: string | null) =>
    runKind('phone-input', data({ country }), { replies: [typed(text)] }).variables.phone
  expect(kept(' +49 30-123456 ', null)).toBe('+4930123456')
  expect(kept('030 123456', 'DE')).toBe('+4930123456')
  expect(kept('030 123456', null)).toBeUndefined()
})

test('refuses what is no number, then leaves by invalid', () => {
  const run = runKind('phone-input', data({ attempts: 2 }), { replies: [typed('call me'), typed('123')] })
  expect(run).toMatchObject({ port: 'invalid', said: ['Enter a valid phone number'] })
})

test('can be skipped when it is optional', () => {
  expect(runKind('phone-input', data({ required: false }), { replies: [skipped] }).port).toBe('skip')
})

test('a country is one that has numbers', () => {
  const valid = (country: string) => phoneInputSchema.safeParse(data({ country })).success
  expect([valid('DE'), valid('XX'), valid('de')]).toEqual([true, false, false])
})

test('is what a phone number input of another product becomes, with its country', () => {
  const country = (defaultCountryCode: string) =>
    importBlock({ type: 'phone number input', options: { defaultCountryCode } })
  expect(country('BR')).toMatchObject({ kind: 'phone-input', data: { country: 'BR' }, notes: [] })
  expect(country('International')).toMatchObject({ data: { country: null }, notes: [] })
  expect(country('XX')).toMatchObject({ data: { country: null }, notes: ["The country 'XX' is not known."] })
})
