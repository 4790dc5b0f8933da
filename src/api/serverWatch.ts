import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiFailure } from './failure'

/** Whether the server is reachable. While it is not, it is polled. */
export interface ServerState {
  away: boolean
  /** a request is running */
  asking: boolean
  /** the time of the next poll; null during a request, and while the server is reachable */
  nextAt: number | null
}

export interface ServerWatch {
  store: StoreApi<ServerState>
  /**
   * Call it when a call got no response: checks whether the server is reachable. Only if that fails too, it counts as
   * unavailable.
   */
  suspect(): void
  /** Polls now. */
  tryNow(): void
  /** Calls back each time the server is reachable again. @returns unsubscribe */
  onReturn(listener: () => void): () => void
  /** Checks whether the server is reachable, and resolves once it is. */
  whenThere(): Promise<void>
}

/** The first wait, and the longest. */
const FIRST_MS = 1_000
const LONGEST_MS = 20_000

/**
 * Watches the server for one page.
 * @param options.ask resolves with whether the server can serve; never rejects
 * @param options.random from 0 to 1: spreads the polls of many pages
 */
export function createServerWatch(options: {
  ask: () => Promise<boolean>
  clock?: () => number
  random?: () => number
}): ServerWatch {
  const { ask, clock = Date.now, random = Math.random } = options
  const store = createStore<ServerState>(() => ({ away: false, asking: false, nextAt: null }))
  const listeners = new Set<() => void>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let tries = 0

  async function look() {
    if (store.getState().asking) return
    clearTimeout(timer)
    store.setState({ asking: true, nextAt: null })
    const there = await ask()
    if (there) return back()
    const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** tries++)
    const wait = longest * (0.5 + 0.5 * random())
    timer = setTimeout(look, wait)
    store.setState({ away: true, asking: false, nextAt: clock() + wait })
  }

  function back() {
    const { away } = store.getState()
    tries = 0
    store.setState({ away: false, asking: false, nextAt: null })
    if (away) for (const listener of [...listeners]) listener()
  }

  return {
    store,
    suspect() {
      if (!store.getState().away) void look()
    },
    tryNow: () => void look(),
    onReturn(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    whenThere: () =>
      new Promise((resolve) => {
        const stop = store.subscribe(({ away, asking }) => {
          if (away || asking) return
          stop()
          resolve()
        })
        void look()
      }),
  }
}

const ASK_MS = 5_000

/** Whether the server can serve: a proxy, or a server without its database, responds too. */
async function asksReadiness(): Promise<boolean> {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) })
    return ok
  } catch {
    return false
  }
}

/** The watch of this page. */
export const serverWatch = createServerWatch({ ask: asksReadiness })

/** Whether there was no response, or only one of a proxy, or of a server without its database. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  const { status, code } = error
  if (status === undefined || status === 502 || status === 504) return true
  // a busy server is reachable
  return status === 503 && code !== 'overloaded'
}
