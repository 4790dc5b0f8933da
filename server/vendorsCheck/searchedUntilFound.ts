import type { Means } from './vendorCheck'

/** How long what is new is searched for, in ms. */
const PATIENCE = 60_000
/** How late our code lets a vendor's search be, in ms. */
const EXPECTED = 15_000

/** Searches each second until something is found. @returns how long that took */
export async function searchedUntilFound(
  { clock, wait }: Pick<Means, 'clock' | 'wait'>,
  search: () => Promise<boolean>,
) {
  const from = clock().getTime()
  for (;;) {
    const isFound = await search()
    const took = clock().getTime() - from
    if (isFound) return { seen: `after ${(took / 1_000).toFixed(1)} s`, holds: took <= EXPECTED }
    if (took > PATIENCE) return { seen: `not within ${PATIENCE / 1_000} s`, holds: false }
    await wait(1_000)
  }
}
