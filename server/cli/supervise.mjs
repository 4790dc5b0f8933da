import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Runs one server process: `restart` ends it (with its database) and starts the next; changes meanwhile cause one more
 * restart.
 */
export function superviseServer(file, env) {
  let child = null
  let wanted = 0
  let work = Promise.resolve()

  const end = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGTERM')
    await ended
  }
  const start = () => {
    // A separate process group: Ctrl-C reaches only this process, which then stops the server once.
    child = spawn(process.execPath, ['--enable-source-maps', file], {
      stdio: 'inherit',
      detached: true,
      env: { ...process.env, ...env },
    })
  }
  return {
    restart() {
      const turn = ++wanted
      work = work.then(async () => {
        if (turn !== wanted) return
        await end()
        start()
      })
    },
    stop() {
      wanted = Number.POSITIVE_INFINITY
      return work.then(end)
    },
  }
}

export async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  return port
}
