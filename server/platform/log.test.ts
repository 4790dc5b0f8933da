import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DatabaseUnavailable } from './database/unavailable'
import { ApiError } from './errors'
import { createLog, type ServerLog } from './log'

let lines: Record<string, unknown>[]
let server: ServerLog
beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  server = createLog('info', { write: (line) => lines.push(JSON.parse(line)) })
})
afterEach(() => {
  vi.useRealTimers()
})

const lost = () => new DatabaseUnavailable('connect ECONNREFUSED', { cause: new Error('connect ECONNREFUSED') })

test('what fails for one reason is one line without a stack, and one when it is over', () => {
  for (let n = 0; n < 500; n++) {
    server.log.error({ err: new ApiError('unavailable', { cause: lost() }), path: `/api/${n}` }, 'a call failed')
    server.log.child({ job: n }).warn({ err: lost() }, 'a job failed')
  }
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    incident: 'database',
    reason: 'connect ECONNREFUSED',
    path: '/api/0',
    what: 'a call failed',
  })
  expect(JSON.stringify(lines)).not.toContain('stack')
  vi.advanceTimersByTime(29_000)
  server.log.error({ err: lost() }, 'a call failed')
  vi.advanceTimersByTime(29_000)
  expect(lines).toHaveLength(1)
  vi.advanceTimersByTime(2_000)
  expect(lines).toHaveLength(2)
  expect(lines[1]).toMatchObject({ incident: 'database', failures: 1_001, seconds: 29 })
  server.log.error({ err: lost() }, 'a call failed')
  expect(lines).toHaveLength(3)
})

test('each kind of trouble is an incident of its own, and other failures keep their stack', () => {
  server.log.error({ err: lost() }, 'a call failed')
  server.log.error({ err: Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }) }, 'a call failed')
  server.log.error({ err: Object.assign(new Error('too many open files'), { code: 'EMFILE' }) }, 'a call failed')
  for (let n = 0; n < 2; n++) server.log.error({ err: new Error('a mistake') }, 'a call failed')
  expect(lines.map(({ incident }) => incident)).toEqual(['database', 'disk', 'descriptors', undefined, undefined])
  expect(lines[3]).toMatchObject({ err: { message: 'a mistake', stack: expect.any(String) } })
})

test('calls that a busy server refuses are one line, however many they are', () => {
  for (let n = 0; n < 500; n++)
    server.log.error({ err: new ApiError('overloaded'), path: `/api/${n}` }, 'a call failed')
  vi.advanceTimersByTime(30_000)
  expect(lines).toMatchObject([
    { incident: 'overload', path: '/api/0', what: 'a call failed' },
    { incident: 'overload', failures: 500 },
  ])
  expect(JSON.stringify(lines)).not.toContain('stack')
})

test('a call that is refused for another reason is no incident', () => {
  server.log.error({ err: new ApiError('internal'), path: '/api/1' }, 'a call failed')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({ msg: 'a call failed', path: '/api/1' })
  expect(lines[0]).not.toHaveProperty('incident')
})

test('while the server stops, connections that end are nothing to tell', () => {
  server.stopping()
  const ended = Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  server.log.warn({ err: ended }, 'a connection to the database broke')
  server.log.warn({ err: new Error('a mistake') }, 'stopping failed')
  expect(lines.map(({ msg }) => msg)).toEqual(['stopping failed'])
})
