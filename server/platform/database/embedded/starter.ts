import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** Beside the server's own socket; whoever may reach the one may reach the other. */
const NAME = 'parley'

/**
 * Says, as long as this process lives, that the server in this socket folder has a Parley: the system itself ends that with the process, so
 * that nothing stale is left, and it does not depend on connections that the server may lose.
 * @returns what ends it
 */
export async function announceStarter(socket: string): Promise<() => Promise<void>> {
  const server = createServer((connection) => connection.destroy()).unref()
  await new Promise<void>((done, fail) => server.once('error', fail).listen(join(socket, NAME), done))
  server.removeAllListeners('error').on('error', () => {})
  return async () => {
    await new Promise((done) => server.close(done))
    await rm(join(socket, NAME), { force: true })
  }
}

/** @returns whether the Parley that started the server in this socket folder lives */
export function starterLives(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const attempt = connect(join(socket, NAME))
    attempt.once('connect', () => done(true)).once('error', () => done(false))
    attempt.once('connect', () => attempt.destroy())
  })
}
