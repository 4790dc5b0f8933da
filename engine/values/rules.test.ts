import { expect, test } from 'vitest'
import { dynamicValueSchema } from './dynamicValue'
import { parseEmail, parseNumber, ruleMessages, urlRule } from './rules'

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

test('the messages are those of the specification', () => {
  expect(ruleMessages).toMatchObject({ email: 'Enter a valid email address', text: 'Enter a value' })
})
