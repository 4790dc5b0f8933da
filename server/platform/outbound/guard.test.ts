import { expect, test, vi } from 'vitest'
import { guardedConnector } from './guard'

test('how long a connection may take is up to who calls: the guard itself gives up never', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date', 'performance'] })
  try {
    const told: unknown[] = []
    const asked: string[] = []
    const connect = guardedConnector({ lookup: (hostname) => asked.push(hostname) })
    const options = { hostname: 'slow.example', protocol: 'http:', port: '80' }
    connect(options, (...answer) => told.push(answer))
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect([asked, told]).toEqual([['slow.example'], []])
  } finally {
    vi.useRealTimers()
  }
})
