import robotsParser from 'robots-parser'
import type { AllowedNetwork } from '../../../platform/outbound/addresses'
import type { OutboundFetch } from '../../../platform/outbound/outboundFetch'

/** Our name in robots.txt files. */
export const OUR_NAME = 'Parley'

/** Who asks. The robots.txt of a private network is cached only for the project that may call it. */
export interface RobotsAsker {
  /** the project's id; null: only public networks, with a shared cache */
  owner: string | null
  allowed: readonly AllowedNetwork[]
}

export interface Robots {
  allows(url: string): boolean
  /** ms between two requests (Crawl-delay) */
  delay?: number
  /** addresses of sitemaps */
  sitemaps: string[]
}

const EVERYBODY: RobotsAsker = { owner: null, allowed: [] }
const KEPT_FOR = 3_600_000
/** Failures are cached briefly, in ms. */
const KEPT_FAILED = 60_000
const MOST_KEPT = 500
const MOST_BYTES = 512_000
/** The most characters of rules with wildcards, whose matching is not linear. */
const MOST_WILD = 64_000
/**
 * The most steps of matching an address against those rules (product of lengths). Beyond it an address counts as
 * disallowed.
 */
const MOST_STEPS = 8_000_000
/** The longest pause that is respected: otherwise a crawl would never end. */
const LONGEST_DELAY = 10_000
const TIMEOUT = 10_000

/** Thrown if a host's robots.txt is unavailable: its pages are not read until it is available again (RFC 9309). */
export class RobotsUnavailable extends Error {
  override readonly name = 'RobotsUnavailable'
  constructor(
    readonly host: string,
    readonly status: number,
  ) {
    super(`robots.txt of ${host} answered with status ${status}`)
  }
}

/** Fetches robots.txt files, each at most once an hour. @throws RobotsUnavailable, OutboundError */
export function createRobots(fetchOutbound: OutboundFetch, now: () => number = Date.now) {
  const kept = new Map<string, { until: number; robots: Promise<Robots> }>()

  async function ask(origin: string, { allowed }: RobotsAsker): Promise<Robots> {
    const url = `${origin}/robots.txt`
    const answer = await fetchOutbound({ url, timeoutMs: TIMEOUT, maxBytes: MOST_BYTES, allowed })
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
      // undefined: another host
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
 * Drops rules with wildcards beyond the limit.
 * @returns `wild`: the number of characters of those kept
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
