import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../context'
import { addHandlers, type EffectHandler } from '../effects/handleEffect'
import { type Consumers, createConsumers } from '../events/createConsumers'
import { keepMonths } from '../events/months'
import { handleSweeps, type Sweep, scheduleSweeps } from '../jobs/sweeps'
import type { AnyModule, ModuleParts, ProvidedBy } from './defineModule'

const HOUR = 60 * 60_000

/** The modules of a running server. */
export interface Composition {
  /** What a module provides: for programs and tests. @throws if it is not part of the server */
  provided<Of extends AnyModule>(module: Of): ProvidedBy<Of>
  /** the event consumers of all modules */
  consumers: Consumers
}

/**
 * Creates modules, each once and after those that it needs, whatever the order of the list, and registers their jobs,
 * sweeps, effects, event consumers and routes. Jobs start when the server listens, and end before modules are closed;
 * bus and limits are closed last.
 * @param instead effect handlers that replace the modules' own, or add to them
 * @throws if two have the same name, or handle the same kind of job or effect
 */
export function composeModules(
  app: FastifyInstance,
  context: ServerContext,
  modules: readonly AnyModule[],
  instead: readonly EffectHandler[] = [],
): Composition {
  const { jobs, log } = context
  const made = new Map<AnyModule, ModuleParts<unknown>>()
  for (const module of modules) make(module, [])
  const parts = [...made.values()]
  const followers = parts.flatMap((part) => part.consumers ?? [])
  const consumers = createConsumers(context, followers)
  const months: Sweep = {
    kind: 'event-months',
    every: HOUR,
    sweep: () => keepMonths(context.db, context.clock(), followers),
  }
  const sweeps = [months, ...parts.flatMap((part) => part.sweeps ?? [])]
  for (const handler of instead) context.effects.set(handler.effect.name, handler)
  for (const job of parts.flatMap((part) => part.jobs ?? [])) jobs.handle(job)
  handleSweeps(context, sweeps)
  for (const part of parts) part.routes?.(app)

  // before anybody writes an event: attaching a month blocks writers
  app.addHook('onReady', () =>
    keepMonths(context.db, context.clock(), followers).catch((error) =>
      log.error({ err: error }, 'the months of events could not be made'),
    ),
  )
  app.addHook('onListen', async () => {
    consumers.start()
    scheduleSweeps(context, sweeps)
      .catch((error) => log.error({ err: error }, 'the sweeps were not begun'))
      .finally(() => jobs.start())
    for (const part of parts)
      part.open?.().catch((error) => log.error({ err: error }, 'what was cut could not be resumed'))
  })
  app.addHook('preClose', async () => {
    for (const part of parts) part.stop?.()
  })
  app.addHook('onClose', async () => {
    await Promise.all([jobs.close(), consumers.close()])
    for (const part of parts.toReversed()) await part.close?.()
    await context.bus.close()
    context.limits.close()
  })

  function make(module: AnyModule, needing: readonly AnyModule[]): unknown {
    const present = made.get(module)
    if (present) return present.provides
    const names = [...needing, module].map(({ name }) => name)
    if (needing.includes(module)) throw new Error(`Modules need each other: ${names.join(' → ')}`)
    const given = Object.entries(module.needs).map(([name, need]) => [name, make(need, [...needing, module])])
    if ([...made.keys()].some(({ name }) => name === module.name))
      throw new Error(`Two modules are called ${module.name}`)
    const part = module.create(context, Object.fromEntries(given) as never)
    addHandlers(context.effects, part.effects ?? [])
    made.set(module, part)
    return part.provides
  }

  return {
    consumers,

    provided(module) {
      const part = made.get(module)
      if (!part) throw new Error(`The module ${module.name} is not part of this server.`)
      return part.provides as ProvidedBy<typeof module>
    },
  }
}
