import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../errors'
import type { Installation } from '../installation'
import type { Metrics } from '../metrics/createMetrics'

/** Expensive calls: a turn of a conversation (or something comparable), or work on a whole draft. */
export type Load = 'turn' | 'draft'

export interface GateLimits {
  /**
   * concurrent calls in total, and per tenant: fewer than there are database connections, so that other calls get one
   */
  atOnce: number
  ofOne: number
  /** waiting calls, per tenant and in total */
  waitingOfOne: number
  waiting: number
  /** calls of one tenant that wait for an external service, and have released their place meanwhile */
  outsideOfOne: number
  /** ms after which a waiting call is refused */
  waitMs: number
  /**
   * ms before a call is refused if its tenant's queue is full, varying up to twice as long: clients that ignore
   * Retry-After are slowed down, and calls that came together are not answered together
   */
  refuseMs: number
}

/**
 * Turns of one tenant at once. Each has a connection, and more than two of these for a processor wait for each other in
 * the database: on two processors, eight made a sixth fewer turns than four.
 */
const turnsOfOne = Math.min(8, Math.max(4, 2 * availableParallelism()))

/** A turn takes some milliseconds, a large draft some seconds (server/modules/flows/drafts/README.md, Measured). */
export const gateLimits: Readonly<Record<Load, GateLimits>> = {
  turn: {
    atOnce: 14,
    ofOne: turnsOfOne,
    waitingOfOne: 64,
    waiting: 512,
    outsideOfOne: 200,
    waitMs: 5_000,
    refuseMs: 1_000,
  },
  draft: { atOnce: 4, ofOne: 2, waitingOfOne: 8, waiting: 32, outsideOfOne: 8, waitMs: 30_000, refuseMs: 1_000 },
}
/** The most delayed refusals; beyond that calls are refused at once. */
const MOST_HELD = 5_000
/** ms between two log lines about refused calls */
const TELL_EVERY = 10_000
/** Retry-After in seconds; varied, so that clients don't return all at once. */
const RETRY_AFTER = [1, 2, 3] as const

export interface Gate {
  /**
   * Runs a tenant's task when there is a place: tenants take turns, each in order of arrival.
   * @throws ApiError overloaded: at once if its queue or the total is full, or after it has waited too long
   */
  run<Result>(tenant: string, task: (place: GatePlace) => Promise<Result> | Result): Promise<Result>
  /** The error with which `run` would refuse a call now; undefined if it would run or wait. */
  refusal(tenant: string): ApiError | undefined
  /** how many calls work, wait for a place, or wait for an external service */
  depth(): GateDepth
}
export type GateDepth = Record<'working' | 'waiting' | 'outside', number>

interface Tenant {
  working: number
  outside: number
  waiting: Waiting[]
}
interface Waiting {
  start: () => void
  timer: NodeJS.Timeout
}
/** A call's place; released while the call waits for an external service. */
export interface GatePlace {
  leave(): void
  takeAgain(): void
}

/**
 * Releases a call's place while it waits for an external service, possibly for a minute: places bound only our own
 * work. Passed down as an argument, because an AsyncLocalStorage makes every promise of the process slower.
 * @param place undefined for work without a caller, such as a timer's
 */
export async function withoutPlace<Result>(place: GatePlace | undefined, wait: () => Promise<Result>): Promise<Result> {
  place?.leave()
  try {
    return await wait()
  } finally {
    place?.takeAgain()
  }
}

export function createGate(limits: GateLimits): Gate {
  /** tenants with calls here, least recently served first */
  const tenants = new Map<string, Tenant>()
  let working = 0
  let waiting = 0
  let outsideAll = 0
  let refused = 0

  const busy = () => {
    refused += 1
    return overloaded(RETRY_AFTER[refused % RETRY_AFTER.length] as number)
  }
  const isFree = (tenant: Tenant) => working < limits.atOnce && tenant.working < limits.ofOne
  const isFull = (tenant: Tenant) =>
    tenant.outside >= limits.outsideOfOne ||
    tenant.waiting.length >= limits.waitingOfOne ||
    (waiting >= limits.waiting && !(tenant.waiting.length === 0 && isFree(tenant)))

  function next(): void {
    for (const tenant of [...tenants.values()]) {
      if (working >= limits.atOnce) return
      const first = tenant.waiting[0]
      if (!first || !isFree(tenant)) continue
      tenant.waiting.shift()
      waiting -= 1
      clearTimeout(first.timer)
      first.start()
    }
  }

  function forget(name: string, tenant: Tenant): void {
    if (tenant.working + tenant.outside + tenant.waiting.length === 0) tenants.delete(name)
  }

  /** Occupies a place until it ends; background work that the call leaves running does not count. */
  function placeOf(name: string, tenant: Tenant): GatePlace & { end: () => void } {
    let outside = 0
    let ended = false
    const move = (by: 1 | -1) => {
      working += by
      tenant.working += by
    }
    return {
      leave() {
        if (ended) return
        outside += 1
        if (outside > 1) return
        move(-1)
        tenant.outside += 1
        outsideAll += 1
        next()
      },
      takeAgain() {
        if (ended) return
        outside -= 1
        if (outside > 0) return
        tenant.outside -= 1
        outsideAll -= 1
        move(1)
      },
      end() {
        ended = true
        if (outside > 0) {
          tenant.outside -= 1
          outsideAll -= 1
        } else move(-1)
        forget(name, tenant)
        next()
      },
    }
  }

  const tenantOf = (name: string): Tenant => tenants.get(name) ?? { working: 0, outside: 0, waiting: [] }

  async function enter(name: string): Promise<Tenant> {
    const tenant = tenantOf(name)
    tenants.set(name, tenant)
    const take = () => {
      working += 1
      tenant.working += 1
      // to the end of the queue
      tenants.delete(name)
      tenants.set(name, tenant)
    }
    if (isFull(tenant)) throw busy()
    if (tenant.waiting.length === 0 && isFree(tenant)) {
      take()
      return tenant
    }
    await new Promise<void>((resolve, reject) => {
      const own: Waiting = {
        start: () => {
          take()
          resolve()
        },
        timer: setTimeout(() => {
          tenant.waiting.splice(tenant.waiting.indexOf(own), 1)
          waiting -= 1
          forget(name, tenant)
          reject(busy())
        }, limits.waitMs).unref(),
      }
      tenant.waiting.push(own)
      waiting += 1
    })
    return tenant
  }

  return {
    refusal: (name) => (isFull(tenantOf(name)) ? busy() : undefined),
    depth: () => ({ working, waiting, outside: outsideAll }),
    async run(name, task) {
      const place = placeOf(name, await enter(name))
      try {
        return await task(place)
      } finally {
        place.end()
      }
    },
  }
}

/** 503 with Retry-After, also in the envelope. */
export const overloaded = (seconds: number): ApiError => new ApiError('overloaded', { retryAfter: seconds })

export interface Admission {
  /** what each gate holds now */
  depths(): Record<Load, GateDepth>
  /**
   * Refuses a call whose tenant's queue is full before any work: no query, no parsing of its body. The refusal is
   * delayed a moment, so that clients that retry at once cost little.
   * @throws ApiError overloaded
   */
  shed(load: Load, params: unknown): Promise<void>
  /** @param params of the route: a project's id, or a chatbot's address, identifies the tenant */
  run<Result>(load: Load, params: unknown, task: (place: GatePlace) => Promise<Result> | Result): Promise<Result>
}

/** The most cached addresses of chatbots, existing and missing ones. */
const MOST_SLUGS = 10_000
/** The tenant of calls to missing addresses: they share one queue. */
const NOBODY = ''
/** Number of time slots over which refusals are spread. */
const SPREAD = 100

interface Params {
  pgid?: unknown
  slug?: unknown
}

/** The gates of a process; `limits`, and `hold`, which waits some milliseconds, are for tests. */
export function createAdmission(
  context: Pick<Installation, 'db' | 'log' | 'clock'> & { metrics?: Pick<Metrics, 'refused'> },
  limits: Readonly<Record<Load, GateLimits>> = gateLimits,
  hold: (ms: number) => Promise<unknown> = pause,
): Admission {
  const gates = { turn: createGate(limits.turn), draft: createGate(limits.draft) }
  /** the project of an existing address, most recently used last */
  const projects = new Map<string, string>()
  /** missing addresses */
  const missing = new Set<string>()

  let held = 0
  let spread = 0
  const told = { refused: 0, at: 0 }

  /**
   * The tenant of an address that was not requested before is unknown: until then its callers form a tenant of their
   * own.
   */
  function knownTenant({ pgid, slug }: Params): string {
    if (typeof pgid === 'string') return pgid
    if (typeof slug !== 'string' || missing.has(slug)) return NOBODY
    return projects.get(slug) ?? `address ${slug}`
  }

  async function tenantOf(params: Params): Promise<string> {
    const slug = String(params.slug)
    const known = knownTenant(params)
    if (typeof params.pgid === 'string' || projects.has(slug)) return known
    const found = await gates.turn.run(known, () =>
      context.db
        .selectFrom('chatbots')
        .innerJoin('projects', 'projects.id', 'chatbots.project_id')
        .select('projects.gid')
        .where('chatbots.slug', '=', slug)
        .executeTakeFirst(),
    )
    missing.delete(slug)
    if (found) remember(projects, () => projects.set(slug, found.gid))
    else remember(missing, () => missing.add(slug))
    return found?.gid ?? NOBODY
  }

  function remember(slugs: Map<string, string> | Set<string>, add: () => void) {
    if (slugs.size >= MOST_SLUGS) slugs.delete(slugs.keys().next().value ?? '')
    add()
  }

  function tell(load: Load) {
    context.metrics?.refused.inc({ load })
    told.refused += 1
    const now = context.clock().getTime()
    if (now - told.at < TELL_EVERY) return
    context.log.warn({ load, refused: told.refused }, 'calls are refused, since too many come at once')
    Object.assign(told, { refused: 0, at: now })
  }

  return {
    depths: () => ({ turn: gates.turn.depth(), draft: gates.draft.depth() }),

    async shed(load, params) {
      const tenant = knownTenant(params as Params)
      const refusal = gates[load].refusal(tenant)
      if (!refusal) return
      tell(load)
      if (held < MOST_HELD) {
        held += 1
        spread = (spread + 1) % SPREAD
        await hold(limits[load].refuseMs * (1 + spread / SPREAD)).finally(() => {
          held -= 1
        })
      }
      throw refusal
    },
    run: async (load, params, task) => gates[load].run(await tenantOf(params as Params), task),
  }
}
