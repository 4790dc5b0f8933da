import { expect, test } from 'vitest'
import { type Call, Transport } from './runtime'

/** How the client sends calls, with answers that the server itself does not give. */
function answering(status: number, headers: Record<string, string> = {}, text = '') {
  const asked: string[] = []
  const send = async (address: Parameters<typeof fetch>[0]) => {
    asked.push(String(address))
    return new Response(text, { status, headers })
  }
  return {
    asked,
    transport: new Transport({ url: 'https://x.example/', key: 'k', fetch: send, wait: async () => {} }),
  }
}
const usage: Call = { method: 'GET', path: '/usage' }

test('only what came too early is sent again, and not for ever', async () => {
  for (const [status, headers, times] of [
    [429, { 'retry-after': '1' }, 3],
    [429, { 'retry-after': '61' }, 1],
    [429, {}, 1],
    [429, { 'retry-after': 'Wed, 21 Oct 2026 07:28:00 GMT' }, 1],
    [503, { 'retry-after': '1' }, 1],
    [500, {}, 1],
  ] as const) {
    const { asked, transport } = answering(status, headers)
    await expect(transport.json(usage)).rejects.toMatchObject({ status })
    expect(asked, `${status} ${JSON.stringify(headers)}`).toHaveLength(times)
  }
})

test('what something in between answered is a problem without a code', async () => {
  const failed = answering(502, {}, '<html>Bad gateway</html>').transport
  await expect(failed.json(usage)).rejects.toMatchObject({ status: 502, code: null })
  const page = answering(200, {}, '<html>Welcome</html>').transport
  await expect(page.json(usage)).rejects.toMatchObject({ status: 200, code: null })
})

test('an id that would lead to another path is not sent', async () => {
  const { asked, transport } = answering(200, {}, '{}')
  const read = (contact: unknown) => transport.json({ method: 'GET', path: '/contacts/{contact}', input: { contact } })
  for (const contact of ['..', '.', '', undefined])
    await expect(read(contact)).rejects.toThrow('contact has to be an id')
  await read('../exports?x=1')
  expect(asked).toEqual(['https://x.example/api/v1/contacts/..%2Fexports%3Fx%3D1'])
})

test('a call that waits ends when it is called off', async () => {
  const stop = new AbortController()
  const transport = new Transport({
    ...{ url: 'https://x.example', key: 'k' },
    fetch: async () => new Response('', { status: 429, headers: { 'retry-after': '30' } }),
    wait: () => {
      stop.abort(new Error('called off'))
      return new Promise(() => {})
    },
  })
  await expect(transport.json({ ...usage, options: { signal: stop.signal } })).rejects.toThrow('called off')
})

test('an address without http and an empty key are refused', () => {
  expect(() => new Transport({ url: 'ftp://x.example', key: 'k' })).toThrow('no http(s) address')
  expect(() => new Transport({ url: 'https://x.example', key: '' })).toThrow('key')
})
