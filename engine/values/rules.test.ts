import { expect, test } from 'vitest'
import { dynamicValueSchema } from './dynamicValue'
import {
  contactPhoneRule,
  domainRule,
  emailRule,
  idRule,
  isPhone,
  parseBookingLink,
  parseDomain,
  parseEmail,
  parseNumber,
  parseUrl,
  phoneRule,
  type Rule,
  ruleMessages,
  ticketIdRule,
  urlRule,
  userIdRule,
} from './rules'

test.each([
  ['ada@lovelace.example', 'ada@lovelace.example'],
  ['  ada@lovelace.example\n', 'ada@lovelace.example'],
  ['a.b+c_d-e@sub.domain.co', 'a.b+c_d-e@sub.domain.co'],
  ["o'hara@müller.example", "o'hara@müller.example"],
  ['a@b.xn--p1ai', 'a@b.xn--p1ai'],
  ['', null],
  ['   ', null],
  ['ada', null],
  ['@b.co', null],
  ['ada@', null],
  ['ada@home', null],
  ['ada@home.c', null],
  ['ada@home.c0', null],
  ['ada@@home.co', null],
  ['a da@home.co', null],
  ['ada@ho me.co', null],
  ['ada@.co', null],
  ['ada@home..co', null],
  ['ada@-home.co', null],
  ['<ada@home.co>', null],
  [`${'a'.repeat(312)}@home.co`, `${'a'.repeat(312)}@home.co`],
  [`${'a'.repeat(313)}@home.co`, null],
])('email %j -> %j', (input, expected) => {
  expect(parseEmail(input)).toBe(expected)
})

test.each<[string, Parameters<typeof parseNumber>[1], number | null]>([
  ['42', {}, 42],
  [' 42 ', {}, 42],
  ['0042', {}, 42],
  ['-007.50', {}, -7.5],
  ['+3', {}, 3],
  ['.5', {}, 0.5],
  ['-0', {}, 0],
  ['000', {}, 0],
  ['', {}, null],
  ['abc', {}, null],
  ['4 2', {}, null],
  ['1,5', {}, null],
  ['1e3', {}, null],
  ['0x10', {}, null],
  ['Infinity', {}, null],
  ['5.', {}, null],
  ['١٢', {}, null],
  ['2.5', { integer: true }, null],
  ['2.0', { integer: true }, null],
  ['2', { integer: true }, 2],
  ['999999999', {}, 999_999_999],
  ['-999999999', {}, -999_999_999],
  ['1000000000', {}, null],
  ['-1000000000', {}, null],
  ['999999999.5', {}, null],
  ['5', { min: 5, max: 5 }, 5],
  ['4', { min: 5 }, null],
  ['6', { max: 5 }, null],
  ['1'.repeat(65), { max: Number.MAX_VALUE }, null],
])('number %j within %j -> %j', (input, limits, expected) => {
  expect(parseNumber(input, limits)).toBe(expected)
})

test.each([
  ['https://a.example', true],
  ['http://localhost:3000/x', true],
  ['HTTPS://A.EXAMPLE', true],
  ['ftp://a.example', false],
  ['a.example', false],
  ['//a.example', false],
  ['javascript:alert(1)//http://', false],
  [' https://a.example', false],
])('url %j -> %j', (value, expected) => {
  const schema = dynamicValueSchema(2_048, urlRule)
  for (const written of [
    { type: 'static', value },
    { type: 'dynamic', parts: [{ type: 'text', text: value }] },
  ]) {
    const result = schema.safeParse(written)
    expect(result.success).toBe(expected)
    if (!expected)
      expect(result.error?.issues[0]?.message).toBe('Enter a valid URL (must start with https:// or http://)')
  }
})

test('a rule is not applied to a value that holds a variable, a cap counts its text parts alone', () => {
  const parts = (text: string) => ({
    type: 'dynamic',
    parts: [
      { type: 'text', text },
      { type: 'variable', variable_id: 'v' },
    ],
  })
  expect(dynamicValueSchema(10, urlRule).safeParse(parts('x'.repeat(10))).success).toBe(true)
  expect(dynamicValueSchema(10, urlRule).safeParse(parts('x'.repeat(11))).error?.issues[0]?.message).toBe(
    'Must not exceed 10 characters',
  )
})

const HOST = 'help.example'
const rules: Record<string, Rule> = {
  email: emailRule,
  phone: phoneRule,
  'contact phone': contactPhoneRule,
  'ticket id': ticketIdRule,
  id: idRule,
  'user id': userIdRule,
  domain: domainRule(HOST),
}

test.each([
  ['email', 'Enter a valid email address', ['a@b.co', ' a@b.co '], ['a@b', 'a.co', 'a@b.c']],
  ['phone', 'Enter a valid phone number', ['0301234', '+4930', '00+1'], ['030 1234', '030-1234', '+', 'tel', '٠٣٠']],
  ['contact phone', 'Enter a valid phone number', ['+49 30 1234', '030'], ['030-1234', ' ', '+ +', '030a']],
  ['ticket id', 'Enter a valid ticket ID', ['1', '0042'], ['-1', '1.5', 'a1', ' 1', '#1', '١']],
  ['id', 'Enter a valid ID', ['1', '0042'], ['-1', '1.5', 'a1', ' 1', '1\n']],
  ['user id', 'Enter a valid user ID', ['ada', 'a-1', '-', '42'], ['Ada', 'a_1', 'a b', 'ä', 'a@b.co']],
  [
    'domain',
    `Enter a valid domain (such as ${HOST})`,
    ['a.example', 'A-b.c.co'],
    ['a--b.co', '-a.co', 'a-.co', 'a', 'a.c'],
  ],
])('a field of the rule %s says %j to what it refuses', (name, message, taken, refused) => {
  const schema = dynamicValueSchema(2_048, rules[name])
  const problem = (value: string) => schema.safeParse({ type: 'static', value }).error?.issues[0]?.message
  for (const value of [...taken, '']) expect(problem(value), value).toBeUndefined()
  for (const value of refused) expect(problem(value), value).toBe(message)
})

test.each([
  ['+49 30 123456', true],
  ['030-1234-5', true],
  ['  1234 ', true],
  ['- 1234', true],
  ['+4930123456', true],
  ['', false],
  ['123', false],
  ['12 34 56', false],
  ['123-456', false],
  ['++1234', false],
  ['1234+', false],
  ['12+3456', false],
  ['1234-', false],
  ['(030) 1234', false],
  ['030.12345', false],
  ['030/12345', false],
  ['+', false],
  ['1234 ext 5', false],
  ['١٢٣٤', false],
])('the format of a phone number: %j -> %j', (input, expected) => {
  expect(isPhone(input)).toBe(expected)
})

test.each<[string, Parameters<typeof parseUrl>[1], boolean]>([
  ['https://a.example', {}, true],
  [' http://a.example/b?c=d#e ', {}, true],
  ['HTTPS://A.Example:8080/', {}, true],
  ['https://müller.example', {}, true],
  ['https://a.xn--p1ai', {}, true],
  ['https://a.example?q', {}, true],
  ['', {}, false],
  ['a.example', {}, false],
  ['mailto:a@b.co', {}, false],
  ['ftp://a.example', {}, false],
  ['javascript:alert(1)//http://a.example', {}, false],
  ['https://', {}, false],
  ['https://a', {}, false],
  ['https://a.e', {}, false],
  ['https://a.e2', {}, false],
  ['https://127.0.0.1', {}, false],
  ['https://[::1]/', {}, false],
  ['https://2130706433', {}, false],
  ['https://a..example', {}, false],
  ['https://-a.example', {}, false],
  ['https://a.example.', {}, false],
  ['https://ada@a.example', {}, false],
  ['https://a.example\\@b.co', {}, false],
  ['https://a b.example', {}, false],
  ['https://a.example/b c', {}, false],
  ['https://a.example:port', {}, false],
  ['https://localhost', {}, false],
  ['http://localhost:3000/x', { localhost: true }, true],
  ['http://LOCALHOST', { localhost: true }, true],
  ['http://localhost.', { localhost: true }, false],
  ['http://notlocalhost', { localhost: true }, false],
  ['https://*.a.example', {}, false],
  ['https://*.a.example', { wildcard: true }, true],
  ['https://shop-*.a.example/x', { wildcard: true }, true],
  ['https://*.*.a.example', { wildcard: true }, false],
  ['https://a.*', { wildcard: true }, false],
  ['https://*', { wildcard: true }, false],
  ['http://*', { wildcard: true, localhost: true }, false],
  [`https://a.example/${'x'.repeat(2_030)}`, {}, true],
  [`https://a.example/${'x'.repeat(2_031)}`, {}, false],
  [`https://a.example/${'x'.repeat(483)}`, { max: 500 }, false],
])('an address: %j with %j -> %j', (input, allow, expected) => {
  expect(parseUrl(input, allow)).toBe(expected ? input.trim() : null)
})

test.each([
  [' Help.Example ', 'help.example'],
  ['a-b.c.example', 'a-b.c.example'],
  ['4.example', '4.example'],
  ['a--b.example', null],
  ['xn--mller-kva.example', null],
  ['-a.example', null],
  ['a-.example', null],
  ['a.example-', null],
  ['a_b.example', null],
  ['müller.example', null],
  ['localhost', null],
  ['a.example/x', null],
  ['https://a.example', null],
  ['a.example:80', null],
  ['*.a.example', null],
  [`${'a.'.repeat(124)}example`, null],
])('a domain: %j -> %j', (input, expected) => {
  expect(parseDomain(input)).toBe(expected)
})

test.each([
  ['https://booking.example/ada', true],
  [' https://booking.example/ada-l/30.min/ ', true],
  ['https://EU.Booking.Example/ada', true],
  ['http://booking.example/ada', false],
  ['https://booking.example', false],
  ['https://booking.example/', false],
  ['https://notbooking.example/ada', false],
  ['https://booking.example.evil.co/ada', false],
  ['https://evil.co/booking.example', false],
  ['https://booking.example/a_b', false],
  ['https://booking.example/ada?month=1', false],
  ['https://booking.example//ada', false],
  ['https://ada@booking.example/ada', false],
])('a booking link of booking.example: %j -> %j', (input, expected) => {
  expect(parseBookingLink(input, 'booking.example')).toBe(expected ? input.trim() : null)
})

test('the messages are those of the specification', () => {
  expect(ruleMessages).toEqual({
    url: 'Enter a valid URL (must start with https:// or http://)',
    email: 'Enter a valid email address',
    phone: 'Enter a valid phone number',
    ticketId: 'Enter a valid ticket ID',
    id: 'Enter a valid ID',
    userId: 'Enter a valid user ID',
    number: 'Enter a valid number',
    text: 'Enter a value',
  })
})
