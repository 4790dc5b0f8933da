import { createStore, type StoreApi } from 'zustand/vanilla'
import { ApiFailure } from './failure'

/** Whether the server can be reached. While it can't be, it is asked again and again. */
export interface ServerState {
  away: boolean
  /** it is being asked right now */
  asking: boolean
  /** when it is asked next, by the clock given; null while it is being asked, and while it is there */
  nextAt: number | null
}

export interface ServerWatch {
  store: StoreApi<ServerState>
  /** A call got no answer: asks whether the server is there at all. It counts as away only when that fails, too. */
  suspect(): void
  /** Asks at once. */
  tryNow(): void
  /** Calls back each time the server is there again. @returns what stops it */
  onReturn(listener: () => void): () => void
  /** Asks whether the server is there, and resolves once it is. */
  whenThere(): Promise<void>
}

/** The first wait, and the longest. */
const FIRST_MS = 1_000
const LONGEST_MS = 20_000

/**
 * Watches over the server as one page sees it.
 * @param options.ask resolves with whether the server can serve; never rejects
 * @param options.random from 0 to 1: many pages that lost one server don't all come back in the same moment
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

/** Whether the server can serve: a proxy before it, or one without its database, answers too. */
async function asksReadiness(): Promise<boolean> {
  try {
    const { ok } = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(ASK_MS) })
    return ok
  } catch {
    return false
  }
}

/** The server of this page. */
export const serverWatch = createServerWatch({ ask: asksReadiness })

/** No response, or one that only says that nobody can give one: a proxy's, or the server's own without its database. */
export function isNoAnswer(error: unknown): boolean {
  if (!(error instanceof ApiFailure)) return false
  const { status, code } = error
  if (status === undefined || status === 502 || status === 504) return true
  // a server that is only busy is there
  return status === 503 && code !== 'overloaded'
}
