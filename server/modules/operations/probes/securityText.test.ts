import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestClock } from '../../../../tests/support/clock'
import { startTestServer, type TestServer } from '../../../../tests/support/server'
import { parseConfig } from '../../../platform/config/config'

const clock = createTestClock()
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ clock })
})
afterAll(() => server.close())

const read = () => fetch(`${server.url}/.well-known/security.txt`)

test('security.txt says where to write, in text that does not go out of date, and is not there without a contact', async () => {
  expect((await read()).status).toBe(404)
  server.context.config.securityContact = 'mailto:security@example.com'
  const answer = await read()
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = new Map(
    (await answer.text())
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/s) as [string, string]),
  )
  expect(fields.get('Contact')).toBe('mailto:security@example.com')
  const days = (Date.parse(fields.get('Expires') ?? '') - clock().getTime()) / 86_400_000
  expect(days).toBe(300)
  expect(fields.get('Canonical')).toBe(`${server.context.config.publicUrl}/.well-known/security.txt`)
})

test.each(['security@example.com', 'http://example.com', 'mailto:a\nb@example.com', 'https://'])(
  'a contact is refused that is neither a mail address nor a secure page: %s',
  (contact) => {
    expect(() => parseConfig({ SECURITY_CONTACT: contact })).toThrow(/SECURITY_CONTACT is .*mailto:/s)
  },
)
test.each(['mailto:security@example.com', 'https://example.com/security'])('a contact is taken: %s', (contact) => {
  expect(parseConfig({ SECURITY_CONTACT: contact }).securityContact).toBe(contact)
})
