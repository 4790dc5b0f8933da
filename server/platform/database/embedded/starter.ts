import { rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'

/** The file name of our socket, in the folder of the server's own: the same accounts can reach both. */
const NAME = 'parley'

/**
 * Announces, as long as this process lives, that the server in this socket folder has a Parley. The system ends this
 * with the process, so nothing stale is left, and it does not depend on connections that the server may lose.
 * @returns a function that ends it
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

/** @returns whether the Parley that started the server in this socket folder is alive */
export function starterLives(socket: string): Promise<boolean> {
  return new Promise((done) => {
    const attempt = connect(join(socket, NAME))
    attempt.once('connect', () => done(true)).once('error', () => done(false))
    attempt.once('connect', () => attempt.destroy())
  })
}
