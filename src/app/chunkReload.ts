import { serverWatch } from '../api/serverWatch'
import { openFlows } from '../collab/openFlows'

const GUARD_MS = 60_000
const LAST_RELOAD = 'parley-chunk-reload'

/**
 * A page chunk that can't be loaded is mostly one that a new release removed: the page is loaded again, at most once per 60
 * seconds (SPEC.md 4), and otherwise the failure is shown.
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(LAST_RELOAD) ?? Number.NEGATIVE_INFINITY)
  if (now - last < GUARD_MS) return false
  storage.setItem(LAST_RELOAD, String(now))
  return true
}

/**
 * Wraps the import of a screen. One that the server can't give since it is away is waited for; while the page reloads the promise stays
 * open, so that no error flashes.
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

/** Catches the chunks that are not screens (styles, preloaded modules). */
export function guardChunks() {
  window.addEventListener('vite:preloadError', async () => {
    if (await maySafelyReload()) window.location.reload()
  })
  fetchStylesAgain()
}

/**
 * Who loads a screen a second time asks for its program alone, not for styles that were not given the first time: a style is put on the
 * page anew, once at once and after each time that the server was away.
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

/** A flow with unsent edits is worth more than the part that is missing: what is in it would have to come back from the device. */
const maySafelyReload = async () =>
  (await serverAnswers()) && !openFlows.hasUnsent() && mayReload(sessionStorage, Date.now())

/** Without a connection a reload ends on the browser's error page, and takes with it what is not saved yet. */
const serverAnswers = (): Promise<boolean> =>
  fetch('/', { method: 'HEAD', cache: 'no-store' }).then(
    (answer) => answer.ok,
    () => false,
  )
