import { serverWatch } from '../api/serverWatch'
import { openFlows } from '../collab/openFlows'
import { isFetchingAhead } from './fetchAhead'

const GUARD_MS = 60_000
const LAST_RELOAD = 'parley-chunk-reload'

/**
 * A chunk that fails to load was usually removed by a new release: the page is reloaded, at most once per 60 seconds
 * (SPEC.md 4); otherwise the failure is shown.
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(LAST_RELOAD) ?? Number.NEGATIVE_INFINITY)
  if (now - last < GUARD_MS) return false
  storage.setItem(LAST_RELOAD, String(now))
  return true
}

/**
 * Wraps the import of a screen. Waits while the server is unavailable; during a reload the promise stays pending, so
 * that no error flashes.
 */
export async function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load().catch(() => serverWatch.whenThere().then(load))
  } catch (error) {
    if (!(await maySafelyReload())) throw error
    window.location.reload()
    return new Promise<never>(() => undefined)
  }
}

/** Handles chunks other than screens (styles, preloaded modules). */
export function guardChunks() {
  window.addEventListener('vite:preloadError', async () => {
    // nobody waits for it
    if (isFetchingAhead()) return
    if (await maySafelyReload()) window.location.reload()
  })
  fetchStylesAgain()
}

/**
 * The browser does not retry failed styles when a module is imported again: adds them to the page again, once at once
 * and after each time that the server was unavailable.
 */
function fetchStylesAgain() {
  const second = new WeakSet<EventTarget>()
  const onError = async ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return
    let away = serverWatch.store.getState().away
    const stop = serverWatch.store.subscribe((state) => {
      away ||= state.away
    })
    await serverWatch.whenThere()
    stop()
    if (!away && second.has(target)) return
    const again = document.createElement('link')
    again.rel = 'stylesheet'
    again.href = target.href
    second.add(again)
    target.replaceWith(again)
  }
  // such an error does not bubble
  window.addEventListener('error', onError, true)
}

/** Unsent edits are worth more than the missing part: after a reload they would have to be restored from the device. */
const maySafelyReload = async () =>
  (await serverAnswers()) && !openFlows.hasUnsent() && mayReload(sessionStorage, Date.now())

/** Without a connection a reload would end on the browser's error page, and lose what is unsaved. */
const serverAnswers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  )
