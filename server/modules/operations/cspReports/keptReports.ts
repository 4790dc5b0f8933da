import type { KeptCspReport } from '../../../contracts/cspReports'
import type { Violation } from './violations'

/** Distinct ones: anybody may report, and the list never grows beyond it. */
export const MOST_KEPT = 50

export type KeptReports = ReturnType<typeof createKeptReports>

/** The newest violations that this process was told of, each once. A stop forgets them. */
export function createKeptReports(clock: () => Date) {
  /** by what they say; the newest is the last */
  const kept = new Map<string, KeptCspReport>()
  return {
    add({ directive, blocked, page, source, line }: Violation): void {
      const key = JSON.stringify([directive, blocked, page, source, line])
      const now = clock().toISOString()
      const { count, first_at } = kept.get(key) ?? { count: 0, first_at: now }
      kept.delete(key)
      kept.set(key, { directive, blocked, page, source, line, count: count + 1, first_at, last_at: now })
      const [oldest] = kept.keys()
      if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    },
    newestFirst: (): KeptCspReport[] => [...kept.values()].reverse(),
    clear: (): void => kept.clear(),
  }
}
