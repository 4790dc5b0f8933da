import { ForksPoolWorker } from 'vitest/node'

const ANSWER = { __vitest_worker_response__: true }

/**
 * A process for tests that stays between runs. vitest starts one anew for each run, which then reads all that a test imports: several
 * seconds of CPU. One that stays evaluates only what has changed and what imports it.
 * @returns `create` for vitest's `poolRunner`, and `end`, after which the next run has a new process
 */
export function createKeptWorker() {
  let kept = null

  class KeptWorker extends ForksPoolWorker {
    name = 'kept'
    listeners = []

    async start() {
      this.isKept = kept !== null && kept.exitCode === null && kept.signalCode === null
      if (this.isKept) this._fork = kept
      else {
        await super.start()
        kept = this._fork
      }
    }

    on(event, callback) {
      this.listeners.push([event, callback])
      super.on(event, callback)
    }

    send(message) {
      // the process has its start behind it, and its end is not wanted
      if (message.type === 'start' && this.isKept) return this.answer('started')
      if (message.type === 'stop') return this.answer('stopped')
      super.send(message)
    }

    answer(type) {
      for (const [event, callback] of this.listeners)
        if (event === 'message') setImmediate(callback, { ...ANSWER, type })
    }

    async stop() {
      for (const [event, callback] of this.listeners) super.off(event, callback)
    }
  }

  return {
    create: (options) => new KeptWorker(options),
    end() {
      kept?.kill('SIGKILL')
      kept = null
    },
  }
}
