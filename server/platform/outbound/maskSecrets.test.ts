import { expect, test } from 'vitest'
import type { HttpAnswer } from '../../../engine/effects/http'
import { createMask } from './maskSecrets'

const VALUE = 'p/4+s&w"0rd~'
const answer = (more: Partial<HttpAnswer>): HttpAnswer => ({
  ok: true,
  status: 200,
  headers: {},
  body: null,
  key: 'k',
  ms: 1,
  ...more,
})

test.each([
  ['as it is', VALUE],
  ['in an address', encodeURIComponent(VALUE)],
  ['in an address with small letters', encodeURIComponent(VALUE).toLowerCase()],
  ['in a form', new URLSearchParams([['', VALUE]]).toString().slice(1)],
  ['in JSON within a text', JSON.stringify(VALUE).slice(1, -1)],
  ['in HTML', 'p/4+s&amp;w&quot;0rd~'],
  ['in hexadecimal', Buffer.from(VALUE).toString('hex')],
])('a secret that comes back %s is masked', (_, form) => {
  const { body, headers } = createMask([VALUE]).answer(
    answer({ body: { list: [`before ${form} after`], [form]: 1 }, headers: { 'x-echo': form } }),
  )
  expect(JSON.stringify([body, headers])).not.toContain(form)
  expect(body).toEqual({ list: ['before •••• after'], '••••': 1 })
})

test('what holds no secret comes back as it was', () => {
  const body = { list: [true, false, null, 0, 12.5, 'text', []], nested: { empty: {} } }
  expect(createMask([VALUE]).answer(answer({ body })).body).toEqual(body)
})

test('in base64 it is found wherever it begins', () => {
  for (const before of ['', 'a', 'ab', 'abc', 'user:']) {
    const echo = Buffer.from(`${before}${VALUE} and more`).toString('base64')
    const masked = createMask([VALUE]).text(echo)
    expect(Buffer.from(masked.replaceAll('••••', ''), 'base64').toString()).not.toContain(VALUE.slice(0, 6))
    expect(masked).toContain('••••')
  }
})

test('the user name and password of one call are masked as they are sent', () => {
  const sent = Buffer.from('me:secret-1').toString('base64')
  const mask = createMask(['secret-1'], { type: 'basic', username: 'me', password: 'secret-1' })
  expect(mask.text(`Basic ${sent}`)).toBe('Basic ••••')
  // whatever else is secret
  const auth = { type: 'basic' as const, username: 'me', password: 'secret-1' }
  expect(createMask(['another-2', 'secret-1'], auth).text(`Basic ${sent}`)).toBe('Basic ••••')
  // a pair of which nothing is secret is no secret either
  expect(createMask(['another-2'], auth).text(`Basic ${sent}`)).toBe(`Basic ${sent}`)
})

test('one of six characters is masked within a text, one of five only alone', () => {
  expect(createMask(['sesame']).text('(sesame)')).toBe('(••••)')
  expect(createMask(['sesam']).text('(sesam)')).toBe('(sesam)')
  expect(createMask(['sesam']).text('sesam')).toBe('••••')
  // of one that is cut off, six characters are as much of it as is looked for
  expect(createMask(['sesame-street']).cut('(sesame')).toBe('(••••')
  expect(createMask(['sesame-street']).cut('(sesam')).toBe('(sesam')
})

test('a text that was cut within it holds no beginning of it either', () => {
  const mask = createMask([VALUE])
  expect(mask.answer(answer({ body: `so far ${VALUE.slice(0, 8)}` })).body).toBe('so far ••••')
  expect(mask.answer(answer({ error: `"http://a/${VALUE.slice(0, 9)}…" is no address` })).error).toBe(
    '"http://a/••••…" is no address',
  )
})

test('a long one is masked to its end, and where it was left off', () => {
  const long = Array.from({ length: 400 }, (_, at) => at.toString(36)).join('-')
  const mask = createMask([long, `${long}-and-more`])
  expect(mask.text(`(${long}-and-more) (${long}) (${long.slice(0, 300)}) (${long.slice(0, 40)})`)).toBe(
    `(••••) (••••) (••••) (${long.slice(0, 40)})`,
  )
})

test('one that begins with another is masked to its end, in whichever order they are given', () => {
  const secrets = ['secret', 'secret-and', 'secret-and-more']
  for (const given of [secrets, secrets.toReversed()])
    expect(createMask(given).text('(secret-and-more) (secret-and) (secret)')).toBe('(••••) (••••) (••••)')
})

test('a short one is masked where it is all that came, and shreds no text', () => {
  const mask = createMask(['abc', '1234'])
  expect(mask.answer(answer({ body: { a: 'abc', b: 'abcdef', c: 1234, d: 12345 } })).body).toEqual({
    a: '••••',
    b: 'abcdef',
    c: '••••',
    d: 12345,
  })
})

test('of a secret that is an address its path is masked too, with what is asked of it', () => {
  const mask = createMask(['https://hooks.example.com/services/T0/B1?key=abc'])
  expect(mask.text('POST /services/T0/B1?key=abc failed')).toBe('POST •••• failed')
  expect(mask.text('no route for /services/T0/B1')).toBe('no route for ••••')
  expect(mask.text('at hooks.example.com')).toBe('at hooks.example.com')
  // what is no address of the web has no path
  expect(createMask(['mailto:/services/T0/B1']).text('no route for /services/T0/B1')).toBe(
    'no route for /services/T0/B1',
  )
})
