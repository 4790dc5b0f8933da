import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleForNode } from '../../../tests/support/bundle'
import { toApiError } from '../errors'
import { createThreads, type RunTask } from '../workers/createThreads'
import { TaskError } from '../workers/taskError'
import { readJsonOnly } from './jsonBody'

let worker: Awaited<ReturnType<typeof bundleForNode>>
beforeAll(async () => {
  worker = await bundleForNode('server/taskThread.ts')
})
afterAll(() => worker?.remove())

const LARGE = 'x'.repeat(300_000)

/** A server that reports what it parsed, and how many bytes its threads were given. */
function reading() {
  const run = createThreads({ timeMs: 60_000, heapMb: 512, program: worker.entry })
  const given: number[] = []
  const noting: RunTask = (name, input, options) => {
    given.push((input as Uint8Array).length)
    return run(name, input, options)
  }
  const app = fastify({ bodyLimit: 2_000_000 })
  readJsonOnly(app, noting)
  app.post('/', ({ body }) => ({ body }))
  const send = async (payload: string) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload,
    })
    return { status: answer.statusCode, ...(answer.json() as { body?: unknown; code?: string }) }
  }
  return { send, given }
}

test('a large body is read in a thread, a small one at once', async () => {
  const { send, given } = reading()
  expect(await send('{"small":"é"}')).toEqual({ status: 200, body: { small: 'é' } })
  expect(given).toEqual([])
  const payload = JSON.stringify({ source: `é${LARGE}`, mode: 'replace' })
  expect(await send(payload)).toEqual({ status: 200, body: { source: `é${LARGE}`, mode: 'replace' } })
  expect(given).toEqual([Buffer.byteLength(payload)])
})

test('an empty body is none', async () => {
  const { send, given } = reading()
  expect(await send('')).toEqual({ status: 200 })
  expect(given).toEqual([])
})

test.each([
  ['nested too deeply', '['.repeat(65) + ']'.repeat(65)],
  ['writing to a prototype', '{"__proto__":{"admin":true}}'],
  ['unfinished', '{"a":'],
])('a body that is %s is refused alike, small or large', async (_, json) => {
  const { send, given } = reading()
  const small = await send(`[${json},"x"]`)
  const large = await send(`[${json},"${LARGE}"]`)
  expect(large).toEqual(small)
  expect([small.status >= 400, given.length]).toEqual([true, 1])
})

test.each([
  ['large', 413, 'too_large'],
  ['slow', 413, 'too_large'],
  ['lost', 500, 'internal'],
] as const)('of a body whose thread ends by %s the answer is %i, %s', async (fault, status, code) => {
  const app = fastify()
  app.setErrorHandler((error, _, reply) => {
    const known = toApiError(error)
    return reply.status(known.status).send({ code: known.code })
  })
  readJsonOnly(app, () => Promise.reject(new TaskError(fault, 'ended')))
  app.post('/', () => ({}))
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(LARGE) })
  expect([answer.statusCode, answer.json()]).toEqual([status, { code }])
})
