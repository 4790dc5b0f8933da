import { matchRoutes, type RouteObject } from 'react-router'

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
 * Fetches the code of a link's screen once somebody points at it or reaches it by key, so that a press finds it there.
 * @returns a function that ends it
 */
export function fetchLinksAhead(
  routes: RouteObject[],
  { root, line }: { root: Pick<Document, 'addEventListener' | 'removeEventListener'>; line: Line },
): () => void {
  const asked = new Set<() => Promise<unknown>>()
  const onPoint = ({ target }: Event) => {
    const link = (target as Element | null)?.closest?.('a[href]')
    const address = link?.getAttribute('href')
    if (!address?.startsWith('/') || link?.hasAttribute('download') || !mayFetchAhead(line)) return
    for (const { route } of matchRoutes(routes, address.replace(/[?#].*$/, '')) ?? []) {
      const { ahead } = (route.lazy ?? {}) as Ahead
      if (!ahead || asked.has(ahead)) continue
      asked.add(ahead)
      running++
      ahead()
        // tried again by the navigation itself, which shows what is wrong
        .catch(() => asked.delete(ahead))
        .finally(() => running--)
    }
  }
  for (const event of ['pointerover', 'focusin']) root.addEventListener(event, onPoint, { passive: true })
  return () => {
    for (const event of ['pointerover', 'focusin']) root.removeEventListener(event, onPoint)
  }
}
