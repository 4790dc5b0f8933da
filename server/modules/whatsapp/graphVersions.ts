/** When versions of the Graph interface came out (Meta's changelog). Those that came later are not known here. */
const RELEASED: Readonly<Record<string, string>> = {
  'v19.0': '2024-01-23',
  'v20.0': '2024-05-21',
  'v21.0': '2024-10-02',
  'v22.0': '2025-01-21',
  'v23.0': '2025-05-29',
  'v24.0': '2025-10-08',
}
/** Meta keeps a version for two years at least. */
const YEARS = 2
const WARN_DAYS = 90
const DAY = 24 * 60 * 60_000

export interface VersionState {
  version: string
  /** the day until which Meta has promised it; null: not known here */
  ends_on: string | null
  state: 'fine' | 'ends-soon' | 'over'
}

/**
 * How long a version of the Graph interface still works. When one is over, Meta answers as the oldest that is left,
 * whose rules may differ: so it is said three months before.
 */
export function versionState(version: string, now: Date): VersionState {
  const released = RELEASED[version]
  if (released === undefined) {
    const oldest = Math.min(...Object.keys(RELEASED).map(numberOf))
    return { version, ends_on: null, state: numberOf(version) < oldest ? 'over' : 'fine' }
  }
  const end = new Date(released)
  end.setUTCFullYear(end.getUTCFullYear() + YEARS)
  const left = end.getTime() - now.getTime()
  const state = left <= 0 ? 'over' : left <= WARN_DAYS * DAY ? 'ends-soon' : 'fine'
  return { version, ends_on: end.toISOString().slice(0, 10), state }
}

const numberOf = (version: string): number => Number(version.slice(1))
