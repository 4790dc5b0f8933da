import robotsParser from 'robots-parser'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import type { OutsideFetch } from '../../../platform/outbound/outsideFetch'

/** The name by which a robots.txt speaks of us. */
export const OUR_NAME = 'Parley'

/** Who asks. What a private network says is kept for the one project that may call it. */
export interface RobotsAsker {
  /** the project's id; null: it may call what everybody may, and shares what was kept */
  owner: string | null
  allowed: readonly AllowedNetwork[]
}

export interface Robots {
  allows(url: string): boolean
  /** ms between two calls, where it asks for a pause */
  delay?: number
  /** addresses of sitemaps */
  sitemaps: string[]
}

const EVERYBODY: RobotsAsker = { owner: null, allowed: [] }
const KEPT_FOR = 3_600_000
/** What could not be asked is asked again soon. */
const KEPT_FAILED = 60_000
const MOST_KEPT = 500
const MOST_BYTES = 512_000
/** Characters of rules with wildcards that are looked at: each costs more than its length. */
const MOST_WILD = 64_000
/** Steps that comparing an address with those rules may take: by the lengths of both. A longer address counts as disallowed. */
const MOST_STEPS = 8_000_000
/** A longer pause than this is not kept: a crawl would never end. */
const LONGEST_DELAY = 10_000
const TIMEOUT = 10_000

/** Thrown where a host can't say what may be read: its pages are left alone until it can (RFC 9309). */
export class RobotsUnavailable extends Error {
  override readonly name = 'RobotsUnavailable'
  constructor(
    readonly host: string,
    readonly status: number,
  ) {
    super(`robots.txt of ${host} answered with status ${status}`)
  }
}

/** Asks hosts for their robots.txt, each once in an hour. @throws RobotsUnavailable, OutsideError */
export function createRobots(fetchOutside: OutsideFetch, now: () => number = Date.now) {
  const kept = new Map<string, { until: number; robots: Promise<Robots> }>()

  async function ask(origin: string, { allowed }: RobotsAsker): Promise<Robots> {
    const url = `${origin}/robots.txt`
    const answer = await fetchOutside({ url, timeoutMs: TIMEOUT, maxBytes: MOST_BYTES, allowed })
    if (answer.status >= 500 || answer.status === 429) throw new RobotsUnavailable(new URL(origin).host, answer.status)
    const text =
      answer.status < 300
        ? Buffer.from(answer.body)
            .toString('utf8')
            .replace(/^\uFEFF/, '')
        : ''
    const { kept, wild } = bounded(text)
    const rules = robotsParser(url, kept)
    const seconds = rules.getCrawlDelay(OUR_NAME)
    return {
      // undefined: of another host
      allows: (page) => page.length * wild <= MOST_STEPS && rules.isAllowed(page, OUR_NAME) !== false,
      ...(seconds !== undefined && seconds > 0 && { delay: Math.min(seconds * 1_000, LONGEST_DELAY) }),
      sitemaps: rules.getSitemaps(),
    }
  }

  return (page: string, asker: RobotsAsker = EVERYBODY): Promise<Robots> => {
    const { origin } = new URL(page)
    const key = `${asker.owner ?? ''} ${origin}`
    const present = kept.get(key)
    if (present && present.until > now()) return present.robots
    const entry = { until: now() + KEPT_FOR, robots: ask(origin, asker) }
    entry.robots.catch(() => {
      entry.until = now() + KEPT_FAILED
    })
    kept.delete(key)
    kept.set(key, entry)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    return entry.robots
  }
}

/**
 * Without more rules with wildcards than anybody writes.
 * @returns `wild`: how many characters those that are left have
 */
function bounded(text: string): { kept: string; wild: number } {
  let wild = 0
  const kept = text.split(/\r\n|\r|\n/).filter((line) => {
    if (!line.includes('*') || /^\s*user-agent/i.test(line)) return true
    // as long as the parser makes it
    const { length } = encodeURI(line)
    if (wild + length > MOST_WILD) return false
    wild += length
    return true
  })
  return { kept: kept.join('\n'), wild }
}
