/** How long to wait for a closing tab: a reload is two tabs for a moment. */
const WAIT_MS = 2_000

/**
 * Locks a session as long as its tab lives, even if it crashes; returns the release function, or null if another tab
 * has the lock. Without the Web Locks API (insecure origins), the lock is always granted: Yjs ignores duplicate edits.
 */
export function holdStay(id: string, locks: LockManager | undefined = globalThis.navigator?.locks) {
  if (!locks) return Promise.resolve(() => undefined)
  return new Promise<(() => void) | null>((resolve) => {
    locks
      .request(
        `${PREFIX}${id}`,
        { signal: AbortSignal.timeout(WAIT_MS) },
        () => new Promise<void>((release) => resolve(release)),
      )
      .catch((error: unknown) =>
        resolve(error instanceof DOMException && error.name === 'TimeoutError' ? null : () => undefined),
      )
  })
}

/** The sessions with a live tab; none without the Web Locks API. */
export async function livingStays(locks: LockManager | undefined = globalThis.navigator?.locks): Promise<Set<string>> {
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
  return new Set(held.map(({ name = '' }) => name.slice(PREFIX.length)))
}

const PREFIX = 'parley-stay-'
