import { matchRoutes, type RouteObject } from 'react-router'
import { watchLinksInView } from './linksInView'

/** What a browser says of its line, where it does. */
interface Line {
  onLine: boolean
  connection?: { saveData?: boolean; effectiveType?: string }
}

/** SPEC.md 9: nothing is fetched ahead offline, on a slow line, or by who saves data. */
export const mayFetchAhead = ({ onLine, connection }: Line): boolean =>
  onLine && connection?.saveData !== true && !/(?:^|-)2g$/.test(connection?.effectiveType ?? '')

/** The code of a screen as its route loads it; without what a navigation does if that fails. */
export type Ahead = { ahead?: () => Promise<unknown> }

let running = 0
/** Whether code is fetched that nobody has asked for yet: if it fails, nothing has to be done about it. */
export const isFetchingAhead = (): boolean => running > 0

/**
 * Fetches the code of a link's screen, so that a press finds it there: at once when somebody points at the link or
 * reaches it by key, and when the page is idle for links that are in view, one after the other.
 * @param watch calls back for each link that comes in view; returns a function that ends it
 * @returns a function that ends all
 */
export function fetchLinksAhead(
  routes: RouteObject[],
  {
    root,
    line,
    watch = watchLinksInView,
  }: {
    root: Pick<Document, 'addEventListener' | 'removeEventListener'>
    line: Line
    watch?: (onLink: (link: Element) => Promise<void>) => () => void
  },
): () => void {
  const asked = new Set<() => Promise<unknown>>()
  const fetch = async (link: Element | null | undefined) => {
    const address = link?.getAttribute('href')
    if (!address?.startsWith('/') || link?.hasAttribute('download') || !mayFetchAhead(line)) return
    const all = (matchRoutes(routes, address.replace(/[?#].*$/, '')) ?? []).map(async ({ route }) => {
      const { ahead } = (route.lazy ?? {}) as Ahead
      if (!ahead || asked.has(ahead)) return
      asked.add(ahead)
      running++
      await ahead()
        // tried again by the navigation itself, which shows what is wrong
        .catch(() => asked.delete(ahead))
        .finally(() => running--)
    })
    await Promise.all(all)
  }
  const onPoint = ({ target }: Event) => void fetch((target as Element | null)?.closest?.('a[href]'))
  for (const event of ['pointerover', 'focusin']) root.addEventListener(event, onPoint, { passive: true })
  const unwatch = watch(fetch)
  return () => {
    unwatch()
    for (const event of ['pointerover', 'focusin']) root.removeEventListener(event, onPoint)
  }
}
