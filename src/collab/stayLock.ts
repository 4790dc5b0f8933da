/** For so long one waits for a tab that is just closing: a reload is two tabs for a moment. */
const WAIT_MS = 2_000

/**
 * Says that a stay in a flow is alive as long as its tab is, crash included; gives what ends it, or null when another tab is there.
 * Where the browser has no locks (pages that are not from a safe origin), every stay can be had: Yjs takes the same edit once.
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

/** The stays whose tabs are there; none where the browser has no locks. */
export async function livingStays(locks: LockManager | undefined = globalThis.navigator?.locks): Promise<Set<string>> {
  const { held = [] } = (await locks?.query().catch(() => undefined)) ?? {}
  return new Set(held.map(({ name = '' }) => name.slice(PREFIX.length)))
}

const PREFIX = 'parley-stay-'
