import { setTimeout as wait } from 'node:timers/promises'

export interface HostGateOptions {
  /** concurrent requests per host; default: 2 */
  atOnce?: number
  /** ms between the starts of two requests; default: 250 */
  pause?: number
  now?: () => number
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface HostGate {
  /**
   * Runs a request when it is the host's turn. @param delay ms between two requests that the host demands, instead of
   * the pause
   */
  enter<Result>(
    host: string,
    call: () => Promise<Result>,
    how?: { delay?: number; signal?: AbortSignal },
  ): Promise<Result>
  /** The host asked for a pause in ms. */
  rest(host: string, ms: number): void
}

interface Host {
  /** when the next request may start */
  next: number
  /** running requests, and those waiting for one of them to end */
  busy: number
  waiting: (() => void)[]
}

/** Beyond this number, idle hosts are forgotten. */
const MANY = 1_000

/**
 * Limits requests per host to a person's pace, however many crawls read it. In memory: each process has its own pace.
 */
export function createHostGate({
  atOnce = 2,
  pause = 250,
  now = Date.now,
  sleep = pass,
}: HostGateOptions = {}): HostGate {
  const hosts = new Map<string, Host>()

  function hostOf(name: string): Host {
    const host = hosts.get(name) ?? { next: 0, busy: 0, waiting: [] }
    hosts.set(name, host)
    if (hosts.size > MANY)
      for (const [key, { next, busy }] of hosts) if (busy === 0 && next < now() && key !== name) hosts.delete(key)
    return host
  }

  return {
    async enter(name, call, { delay, signal } = {}) {
      const host = hostOf(name)
      // a host that demands pauses gets one request at a time
      const most = delay === undefined ? atOnce : 1
      if (host.busy >= most) await new Promise<void>((free) => host.waiting.push(free))
      else host.busy++
      try {
        signal?.throwIfAborted()
        const at = Math.max(now(), host.next)
        host.next = at + Math.max(delay ?? 0, pause)
        if (at > now()) await sleep(at - now(), signal)
        return await call()
      } finally {
        const next = host.waiting.shift()
        if (next) next()
        else host.busy--
      }
    },
    rest(name, ms) {
      const host = hostOf(name)
      host.next = Math.max(host.next, now() + ms)
    },
  }
}

const pass = (ms: number, signal?: AbortSignal): Promise<void> => wait(ms, undefined, { signal })
