import { setTimeout as pause } from 'node:timers/promises'
import { ApiError } from '../errors'
import type { Installation } from '../installation'

/** Calls that take much: a turn of a conversation (or what stands beside one), or work on a whole draft. */
export type Load = 'turn' | 'draft'

export interface GateLimits {
  /** calls at work at once, and those of one tenant: fewer than there are connections to the database, so that the others find one */
  atOnce: number
  ofOne: number
  /** calls that wait, of one tenant and of all */
  waitingOfOne: number
  waiting: number
  /** calls of one tenant that wait for a service outside, for whose time others have their place */
  outsideOfOne: number
  /** ms after which one that waits is refused */
  waitMs: number
  /**
   * ms after which a call is refused that finds its tenant's queue full, up to twice as many: whoever ignores Retry-After can't call again
   * before that, and those who came together are not answered together
   */
  refuseMs: number
}

/** A turn holds its place some milliseconds, a large draft some seconds (server/modules/flows/drafts/README.md, Measured). */
export const gateLimits: Readonly<Record<Load, GateLimits>> = {
  turn: { atOnce: 14, ofOne: 8, waitingOfOne: 64, waiting: 512, outsideOfOne: 200, waitMs: 5_000, refuseMs: 1_000 },
  draft: { atOnce: 4, ofOne: 2, waitingOfOne: 8, waiting: 32, outsideOfOne: 8, waitMs: 30_000, refuseMs: 1_000 },
}
/** Calls whose refusal waits; beyond that they are refused at once. */
const MOST_HELD = 5_000
/** ms between two lines of the log about calls that were refused */
const TELL_EVERY = 10_000
/** Seconds after which whoever was refused should come back; a little apart from each other, so that they don't come as one. */
const RETRY_AFTER = [1, 2, 3] as const

export interface Gate {
  /**
   * Runs what a tenant asks for once there is a place for it: tenants by turns, each in the order in which it asked.
   * @throws ApiError overloaded, at once when its queue or that of all is full, or when it has waited too long
   */
  run<Result>(tenant: string, task: (place: GatePlace) => Promise<Result> | Result): Promise<Result>
  /** What `run` would refuse a call with that comes now; undefined where it has a place, or a place to wait. */
  refusal(tenant: string): ApiError | undefined
}

interface Tenant {
  working: number
  outside: number
  waiting: Waiting[]
}
interface Waiting {
  start: () => void
  timer: NodeJS.Timeout
}
/** The place that a call has; it is given back while the call waits for something outside. */
export interface GatePlace {
  leave(): void
  takeAgain(): void
}

/**
 * Gives back a call's place while it waits for a service outside, which may take a minute: the place is there to bound our own work. It is
 * handed down rather than kept in an AsyncLocalStorage, which makes every promise of the process dearer.
 * @param place undefined for work that nobody asked for, such as a timer's
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
  /** who has calls here, those who were served longest ago first */
  const tenants = new Map<string, Tenant>()
  let working = 0
  let waiting = 0
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

  /** From now on it is at work, until it ends; what it left running is not counted any more. */
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
        next()
      },
      takeAgain() {
        if (ended) return
        outside -= 1
        if (outside > 0) return
        tenant.outside -= 1
        move(1)
      },
      end() {
        ended = true
        if (outside > 0) tenant.outside -= 1
        else move(-1)
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
      // behind the others
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

/** 503, with the seconds after which to come back in the header and in the envelope. */
export const overloaded = (seconds: number): ApiError => new ApiError('overloaded', { retryAfter: seconds })

export interface Admission {
  /**
   * Refuses a call whose tenant's queue is full before anything is done for it: no query, no reading of its body. The refusal waits a moment, so that
   * whoever comes back at once takes little.
   * @throws ApiError overloaded
   */
  shed(load: Load, params: unknown): Promise<void>
  /** @param params of the route: a project's id, or the address of a chatbot, names the tenant */
  run<Result>(load: Load, params: unknown, task: (place: GatePlace) => Promise<Result> | Result): Promise<Result>
}

/** Addresses of chatbots that are remembered, those that there are and those that there are not. */
const MOST_SLUGS = 10_000
/** Who asks for an address that there is not: they wait for each other. */
const NOBODY = ''
/** Moments over which refusals are spread. */
const SPREAD = 100

interface Params {
  pgid?: unknown
  slug?: unknown
}

/** The gates of a process; `limits` are for tests. */
export function createAdmission(
  context: Pick<Installation, 'db' | 'log' | 'clock'>,
  limits: Readonly<Record<Load, GateLimits>> = gateLimits,
): Admission {
  const gates = { turn: createGate(limits.turn), draft: createGate(limits.draft) }
  /** the project of an address: of who asked for one that there is, the last */
  const projects = new Map<string, string>()
  /** addresses that there are not */
  const missing = new Set<string>()

  let held = 0
  let spread = 0
  const told = { refused: 0, at: 0 }

  /** Nobody knows yet whose an address is that was not asked for before: it waits for its own callers alone. */
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
    told.refused += 1
    const now = context.clock().getTime()
    if (now - told.at < TELL_EVERY) return
    context.log.warn({ load, refused: told.refused }, 'calls are refused, since too many come at once')
    Object.assign(told, { refused: 0, at: now })
  }

  return {
    async shed(load, params) {
      const tenant = knownTenant(params as Params)
      const refusal = gates[load].refusal(tenant)
      if (!refusal) return
      tell(load)
      if (held < MOST_HELD) {
        held += 1
        spread = (spread + 1) % SPREAD
        await pause(limits[load].refuseMs * (1 + spread / SPREAD)).finally(() => {
          held -= 1
        })
      }
      throw refusal
    },
    run: async (load, params, task) => gates[load].run(await tenantOf(params as Params), task),
  }
}
