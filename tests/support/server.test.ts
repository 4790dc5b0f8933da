import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { startTestServer } from './server'

test('a test server closes though a browser holds a connection over which it has asked nothing', async () => {
  const server = await startTestServer()
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
  const closed = once(socket, 'close')
  try {
    await once(socket, 'connect')
    // the server has seen it, and answered over others
    await server.guest()
    await server.close()
    await closed
    expect(socket.bytesWritten).toBe(0)
  } finally {
    socket.destroy()
  }
})
