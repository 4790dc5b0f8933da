import { expect, test } from 'vitest'
import { ApiError } from '../errors'
import { rawAnswer } from './rawAnswer'

/** An answer as it goes over the socket, read as HTTP. */
function read(error: ApiError) {
  const [head = '', body = ''] = rawAnswer(error).toString().split('\r\n\r\n')
  const [line, ...lines] = head.split('\r\n')
  return { line, headers: Object.fromEntries(lines.map((each) => each.split(': '))), body }
}

test('a refusal of what is no request is a whole answer, with which the connection ends', () => {
  const { line, headers, body } = read(new ApiError('malformed', { message: 'Größer' }))
  expect(line).toBe('HTTP/1.1 400 Bad Request')
  expect(JSON.parse(body)).toMatchObject({ success: false, code: 'malformed' })
  expect(headers).toEqual({
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  })
})

test('it says when to come again, where that is known', () => {
  expect(read(new ApiError('overloaded', { retryAfter: 7 })).headers).toMatchObject({ 'retry-after': '7' })
  expect(read(new ApiError('too_large')).headers).not.toHaveProperty('retry-after')
})
