import { expect, test } from 'vitest'
import { type ExtractField, extractFields, readExtracted } from './extractFields'
import { findChoice, findDates, findEmails, findNumbers, findPhones, findUrls, findYesNo } from './findValues'
import type { Json } from './json'

test.each([
  ['write to ada@example.com.', ['ada@example.com']],
  ['Ada <ada@example.com>, bob@b.co; and bob@b.co', ['ada@example.com', 'bob@b.co']],
  ['mailto:x@münchen.de!', ['x@münchen.de']],
  ['(ada.l+news@mail.example.co.uk)', ['ada.l+news@mail.example.co.uk']],
  ['@ada, ada@, ada@localhost', []],
  ['', []],
])('emails in %j', (text, found) => expect(findEmails(text.replace('mailto:', ''))).toEqual(found))

test.each([
  ['see https://example.com/a?b=1, please', ['https://example.com/a?b=1']],
  ['(www.example.com)', ['https://www.example.com']],
  ['http://a.example.org. And HTTPS://B.CO!', ['http://a.example.org', 'HTTPS://B.CO']],
  ['ada@www.example.com ftp://a.b https://localhost', []],
])('addresses in %j', (text, found) => expect(findUrls(text)).toEqual(found))

test.each([
  ['call +49 30 123456 today', ['+4930123456']],
  ['(030) 123-4567', ['0301234567']],
  ['+1 (212) 555-0123 or 0151/23456789', ['+12125550123', '015123456789']],
  ['on 2026-11-21 at 10:30:00', []],
  ['order 12345', []],
  ['1234567890123456789', []],
  ['https://example.com/123456789 a1234567@b.co', []],
])('phone numbers in %j', (text, found) => expect(findPhones(text)).toEqual(found))

test.each([
  ['on 2026-11-21.', ['2026-11-21']],
  ['21.11.2026', ['2026-11-21']],
  ['21/11/2026 or 11/22/2026', ['2026-11-21', '2026-11-22']],
  ['3/4/2026', []],
  ['4/4/2026', ['2026-04-04']],
  ['1.2.26', ['2026-02-01']],
  ['21 November 2026, 22nd of Nov 2026', ['2026-11-21', '2026-11-22']],
  ['November 21st, 2026', ['2026-11-21']],
  ['Sept. 3 2026', ['2026-09-03']],
  ['am 21. März 2026', ['2026-03-21']],
  ['le 1er août 2026', ['2026-08-01']],
  ['21 de noviembre de 2026', ['2026-11-21']],
  ['21 ноября 2026', ['2026-11-21']],
  ['2026-02-30, 31.02.2026, 2026-13-01, 12 Foo 2026', []],
  ['version 1.2.2026.4', []],
])('dates in %j', (text, found) => expect(findDates(text)).toEqual(found))

test.each([
  ['about 1,234.50 euros', [1234.5]],
  ['1.234,50 €', [1234.5]],
  ['12,5 or 12.5 or 7', [12.5, 7]],
  ['1 500 000', [1_500_000]],
  ["1'500", [1500]],
  ['1,234', [1234]],
  ['it is -5 degrees', [-5]],
  ['rooms 3-4', [3, 4]],
  ['007', [7]],
  ['B12, 2026-11-21 at 10:30, a1@b.co', []],
  ['9999999999', []],
  ['50% of 20kg', [50, 20]],
])('numbers in %j', (text, found) => expect(findNumbers(text)).toEqual(found))

test.each([
  ['Yes, please', true],
  ['I said OK!', true],
  ['Sí', true],
  ['Nope.', false],
  ["I don't", false],
  ['nein', false],
  ['no, yes', null],
  ['not sure', null],
  ['eyes and nose', null],
])('yes or no in %j', (text, found) => expect(findYesNo(text)).toBe(found))

test.each([
  ['the pro plus, please', 'Pro plus'],
  ['PRO!', 'Pro'],
  ['pro or pro plus', null],
  ['professional', null],
  ['cafe', 'Café'],
  ['我要红色的', '红色'],
  ['C++ (new)', 'C++'],
  ['', null],
])('the choice in %j', (text, found) =>
  expect(findChoice(text, ['Pro', 'Pro plus', 'Café', '红色', 'C++', ''])).toBe(found),
)

const field = (type: ExtractField['type'], id: string = type, choices: string[] = []): ExtractField => ({
  id,
  type,
  choices,
})

test('the newest text that has a value decides, and two fields of a type get two values', () => {
  const fields = [field('email', 'a'), field('email', 'b'), field('yes-no', 'c'), field('yes-no', 'd'), field('text')]
  expect(extractFields(fields, ['new@b.co, yes', 'old@b.co and no'])).toEqual({
    a: 'new@b.co',
    b: 'old@b.co',
    c: true,
    d: true,
  })
})

test('digits of a phone number that is wanted are no number', () => {
  const text = 'call 030 1234567, I have 3 cats'
  expect(extractFields([field('number'), field('phone')], [text])).toEqual({ number: 3, phone: '0301234567' })
  expect(extractFields([field('number')], ['1500000'])).toEqual({ number: 1_500_000 })
})

test.each<[ExtractField['type'], Json, Json]>([
  ['text', ' Ada ', 'Ada'],
  ['text', '', null],
  ['text', 5, null],
  ['text', 'x'.repeat(20_001), null],
  ['number', 5, 5],
  ['number', '1,5', 1.5],
  ['number', 1e12, null],
  ['number', true, null],
  ['email', 'ada@example.com', 'ada@example.com'],
  ['email', 'unknown', null],
  ['phone', '+49 30 123456', '+4930123456'],
  ['date', '2026-11-21', '2026-11-21'],
  ['date', '2026-02-30', null],
  ['url', 'javascript:alert(1)', null],
  ['yes-no', false, false],
  ['yes-no', 'yes', true],
  ['choice', 'pro', 'Pro'],
  ['choice', 'Other', null],
  ['text', null, null],
  ['text', ['a'], null],
])('a model’s %s %j is taken as %j', (type, value, taken) => {
  expect(readExtracted(field(type, 'f', ['Pro']), value)).toEqual(taken)
})

test('texts that invite to look again and again are read to their end', () => {
  const types = ['number', 'email', 'phone', 'date', 'url', 'yes-no'] as const
  for (const part of ['1 ', 'a', '1.', 'a@', 'www.', '1 de ', 'ab ', '+', '1/', ' ', '1']) {
    const found = extractFields(
      [...types, 'text' as const].map((type) => field(type)),
      [part.repeat(20_000 / part.length)],
    )
    expect(found.email ?? null).toBeNull()
  }
})
