import net from 'node:net'
import tls from 'node:tls'
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

test('no connection goes on with the TLS session of another: each finds out anew whom it speaks to', () => {
  const sockets: net.Socket[] = []
  const connectTls = vi.spyOn(tls, 'connect').mockImplementation(() => {
    sockets.push(new net.Socket())
    return sockets.at(-1) as tls.TLSSocket
  })
  try {
    const connect = guardedConnector({})
    for (const _ of [1, 2]) {
      connect({ hostname: 'shop.example', host: 'shop.example', protocol: 'https:', port: '443' }, () => {})
      sockets.at(-1)?.emit('session', Buffer.from('ticket'))
    }
    const sessions = connectTls.mock.calls.map(([options]) => (options as tls.ConnectionOptions).session ?? null)
    expect(sessions).toEqual([null, null])
  } finally {
    connectTls.mockRestore()
  }
})
