/** What is needed of `navigator.locks`. */
export type Locks = Pick<LockManager, 'request'>

export interface HearingPage {
  isHidden(): boolean
  /** undefined: the browser has none, or the address is without HTTPS */
  locks: Locks | undefined
}

/**
 * Which pages of a browser hear what is new: each that is looked at; where none is, one of the hidden ones, so that its
 * sound calls who works in another window. All hidden pages together would keep more connections than browsers give.
 * Pages that are looked at share a lock, which the hidden one needs alone.
 *
 * @param hears is told when this page begins to hear, and when it ends
 */
export function createHearing(name: string, page: HearingPage, hears: (isHearing: boolean) => void) {
  let isHearing = false
  let held = new AbortController()
  /** until the lock that was held before is given back */
  let before: Promise<unknown> = Promise.resolve()
  const set = (now: boolean) => {
    if (now !== isHearing) hears(now)
    isHearing = now
  }
  /** Held until the page changes, or is left. */
  const hold = ({ signal }: AbortController) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      signal.addEventListener('abort', () => resolve())
    })

  async function keepOne(own: AbortController): Promise<void> {
    if (!page.locks) return set(false)
    await before
    if (own.signal.aborted) return
    await page.locks.request(name, { ifAvailable: true }, async (lock) => {
      if (own.signal.aborted) return
      set(lock !== null)
      if (lock) await hold(own)
    })
    if (own.signal.aborted) return
    await page.locks.request(name, { signal: own.signal }, () => {
      if (own.signal.aborted) return
      set(true)
      return hold(own)
    })
  }

  return {
    /** To be called at first, and whenever the page was hidden or shown. */
    look(): void {
      held.abort()
      held = new AbortController()
      const own = held
      if (page.isHidden()) {
        // a request that is given up fails
        before = keepOne(own).catch(() => undefined)
        return
      }
      set(true)
      const sharing = page.locks?.request(name, { mode: 'shared', signal: own.signal }, () => hold(own))
      before = Promise.resolve(sharing).catch(() => undefined)
    },
    leave(): void {
      held.abort()
      set(false)
    },
  }
}
