import { setTimeout as wait } from 'node:timers/promises'

export interface HostGateOptions {
  /** calls of one host that are under way at once; 2 unless said */
  atOnce?: number
  /** ms from the beginning of one call to that of the next; 250 unless said */
  pause?: number
  now?: () => number
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

export interface HostGate {
  /** Makes a call when its turn at the host has come. @param delay ms that the host wants between two calls, instead of the pause */
  enter<Result>(
    host: string,
    call: () => Promise<Result>,
    how?: { delay?: number; signal?: AbortSignal },
  ): Promise<Result>
  /** The host asked to be left alone for so many ms. */
  rest(host: string, ms: number): void
}

interface Host {
  /** when the next call may begin */
  next: number
  /** calls under way, and those that wait for one of them to end */
  busy: number
  waiting: (() => void)[]
}

/** More hosts than this are not remembered: those that nobody asks are forgotten. */
const MANY = 1_000

/** Spares hosts: however many read of one at once, it is asked at a person's pace. Kept in memory, so each process has a pace of its own. */
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
      // a host that wants pauses is asked one by one
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
