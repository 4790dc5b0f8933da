import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { readMetrics } from '../../../contracts/probes'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { createStateGauges, type StateGauges } from '../../../platform/metrics/createMetrics'
import { once, within } from '../patience'
import { isLater, ownVersion } from '../updates/versions'
import { mayReadMetrics } from './mayRead'
import { readState, type State } from './readState'

/** A slower database counts as unavailable, in ms. */
const PATIENCE = 5_000
/** ms for which the database's part is cached: several Prometheus may read. */
const FRESH = 5_000

/** The metrics of this process and the state of the installation; without a database, those of the process alone. */
export function registerMetrics(app: FastifyInstance, context: ServerContext): void {
  const { metrics, admission, db } = context
  const gauges = createStateGauges(metrics)
  const ask = once(FRESH, () => within(PATIENCE, readState(context)))

  registerRoute(app, context, readMetrics, async ({ request, reply }) => {
    // who may not read them learns nothing, not even that they are there
    if (!mayReadMetrics(context.config, request)) throw new ApiError('not_found')
    for (const [load, depth] of Object.entries(admission.depths()))
      for (const [state, calls] of Object.entries(depth)) metrics.places.set({ load, state }, calls)
    for (const [state, count] of Object.entries(db.connections())) gauges.pool.set({ state }, count)
    const state = await ask().catch((error) => {
      context.log.warn({ err: error }, 'the state of the installation could not be read')
      return null
    })
    setState(gauges, state)
    const newest = context.config.updateCheck === null ? null : state?.newest
    if (newest) gauges.updateAvailable.set(isLater(newest.version, ownVersion) ? 1 : 0)
    else gauges.updateAvailable.remove()
    reply.header('cache-control', 'no-store').type(metrics.registry.contentType)
    const text = await metrics.registry.metrics()
    reply.send(text)
    return text
  })
}

/** Without a state, gauges of the database have no value: an old one would look like a present one. */
function setState(gauges: StateGauges, state: State | null): void {
  const { up, jobs, eventFailures, eventsBehindSeconds } = gauges
  up.set(state ? 1 : 0)
  for (const gauge of [jobs, eventFailures, eventsBehindSeconds]) gauge.reset()
  for (const gauge of [gauges.databaseBytes, gauges.oldestDueSeconds, gauges.credits, gauges.projects, gauges.people])
    gauge.remove()
  if (!state) return
  gauges.databaseBytes.set(state.databaseBytes)
  gauges.oldestDueSeconds.set(state.oldestDueSeconds)
  gauges.credits.set(state.creditsUsed)
  gauges.projects.set(state.projects)
  gauges.people.set(state.people)
  for (const [name, count] of Object.entries(state.jobs)) gauges.jobs.set({ state: name }, count)
  for (const [name, count] of Object.entries(state.eventFailures)) gauges.eventFailures.set({ state: name }, count)
  for (const [consumer, seconds] of Object.entries(state.behindSeconds))
    gauges.eventsBehindSeconds.set({ consumer }, seconds)
}
