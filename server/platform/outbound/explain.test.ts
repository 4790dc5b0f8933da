import { expect, test } from 'vitest'
import { OutboundError } from './errors'
import { explain } from './explain'

const URL = 'https://shop.example:8443/a'
const coded = (code: string, options?: ErrorOptions) => Object.assign(new Error(`${code} happened`, options), { code })

test.each([
  ['ENOTFOUND', 'unknown_host'],
  ['EAI_AGAIN', 'unknown_host'],
  ['ENODATA', 'unknown_host'],
  ['ECONNREFUSED', 'refused'],
  ['ECONNRESET', 'closed'],
  ['EPIPE', 'closed'],
  ['UND_ERR_SOCKET', 'closed'],
  ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'closed'],
  ['UND_ERR_HEADERS_OVERFLOW', 'no_http'],
  ['UND_ERR_INVALID_ARG', 'invalid_header'],
  ['EHOSTUNREACH', 'unreachable'],
  ['toString', 'unreachable'],
])('%s is %s, of that host', (code, known) => {
  const error = coded(code)
  const explained = explain(error, URL)
  expect(explained).toMatchObject({ code: known, cause: error })
  expect(explained.message).toContain('shop.example:8443')
  // as fetch throws it
  expect(explain(new TypeError('fetch failed', { cause: error }), URL).code).toBe(known)
})

test.each([
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'EPROTO',
])('%s is a connection that is not secure, with what is wrong', (code) => {
  const error = coded(code)
  expect(explain(error, URL)).toMatchObject({ code: 'tls', cause: error })
  expect(explain(error, URL).message).toContain(`${code} happened`)
  expect(explain(coded(`NOT_${code}`), URL).code).toBe('unreachable')
})

test('what does not speak HTTP is told by its name', () => {
  expect(explain(Object.assign(new Error('x'), { name: 'HTTPParserError', code: 'HPE_INVALID' }), URL).code).toBe(
    'no_http',
  )
})

test('a refusal of the guard is found among the causes, and stays what it is', () => {
  const refusal = new OutboundError('private_address', '10.0.0.1')
  expect(explain(new Error('a', { cause: new Error('b', { cause: refusal }) }), URL)).toBe(refusal)
  expect(explain(new AggregateError([coded('EHOSTUNREACH'), refusal]), URL)).toBe(refusal)
})

test('causes are followed five deep, so that a circle of them ends', () => {
  const nested = (depth: number): Error =>
    depth === 0 ? coded('ECONNREFUSED') : new Error('wrapped', { cause: nested(depth - 1) })
  expect(explain(nested(4), URL).code).toBe('refused')
  expect(explain(nested(5), URL).code).toBe('unreachable')
  const circle: Error = new Error('a')
  circle.cause = circle
  expect(explain(circle, URL)).toMatchObject({ code: 'unreachable', cause: circle })
})

test('what is no error, and an address that is none, are told as well', () => {
  const explained = explain('nonsense', 'no address')
  expect(explained).toMatchObject({ code: 'unreachable', cause: 'nonsense' })
  expect(explained.message).toContain('no address')
})
