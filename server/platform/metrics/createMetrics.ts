import type { ServerResponse } from 'node:http'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds: from a turn without a call to one that waits for a model. */
const TURN_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60]
/** Seconds of calls to others, and of jobs. */
const CALL_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

/** How a call of another server ended. */
export type Outcome = 'ok' | 'failed'
/** What a turn waited for besides the database: the slowest of it. */
export type TurnKind = 'plain' | 'thread' | 'call'

export type Metrics = ReturnType<typeof createMetrics>

/**
 * What a process counts of itself, for Prometheus. All names stand here: dashboards and alert rules are compared with
 * them. Each label has few values, none of which callers choose: no project, person, address or text of anybody is one.
 */
export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: readonly number[],
  ) => new Histogram({ name, help, labelNames, buckets: [...buckets], registers })

  const streams = gauge('parley_event_streams', 'Open streams of server-sent events')
  const begun = new WeakSet<ServerResponse>()

  return {
    registry,

    calls: counter('parley_http_requests_total', 'Answered HTTP requests', ['method', 'route', 'status']),
    callSeconds: histogram('parley_http_request_seconds', 'Time to answer, without streams', ['kind'], TURN_SECONDS),
    refused: counter('parley_requests_refused_total', 'Calls refused because too many came at once', ['load']),
    places: gauge('parley_places', 'Calls that work, wait for a place, or wait for another server', ['load', 'state']),

    turns: counter('parley_turns_total', 'Turns of conversations', ['kind', 'outcome']),
    turnSeconds: histogram('parley_turn_seconds', 'Time of a turn, with what it waited for', ['kind'], TURN_SECONDS),
    effects: counter('parley_effects_total', 'Calls that turns made', ['effect', 'outcome']),
    effectSeconds: histogram('parley_effect_seconds', 'Time of a call that a turn made', ['effect'], CALL_SECONDS),

    modelCalls: counter('parley_model_calls_total', 'Calls of models', ['provider', 'operation', 'outcome']),
    modelSeconds: histogram('parley_model_call_seconds', 'Time of a call of a model', ['provider'], CALL_SECONDS),
    vendorCalls: counter('parley_vendor_calls_total', 'Requests to vendors', ['vendor', 'status']),
    vendorSeconds: histogram('parley_vendor_call_seconds', 'Time of a request to a vendor', ['vendor'], CALL_SECONDS),

    jobRuns: counter('parley_job_runs_total', 'Jobs that were run', ['kind', 'outcome']),
    jobSeconds: histogram('parley_job_seconds', 'Time of a job', ['kind'], CALL_SECONDS),

    cspViolations: counter(
      'parley_csp_violations_total',
      'Violations of the content security policy that browsers reported',
      ['directive', 'page'],
    ),

    sockets: gauge('parley_sockets', 'Open sockets of editors'),

    /** Counts a stream of events until it closes; its time is not that of an answer. */
    countStream(raw: ServerResponse): void {
      begun.add(raw)
      streams.inc()
      raw.once('close', () => streams.dec())
    },
    isStream: (raw: ServerResponse): boolean => begun.has(raw),
  }
}

/** What the installation is asked for when its metrics are read. The same for all its processes. */
export function createStateGauges({ registry }: Pick<Metrics, 'registry'>) {
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  return {
    up: gauge('parley_database_up', '1 if the database answered, else 0'),
    databaseBytes: gauge('parley_database_bytes', 'Size of the database'),
    jobs: gauge('parley_jobs', 'Jobs by state', ['state']),
    oldestDueSeconds: gauge('parley_jobs_oldest_due_seconds', 'How long the job that waits longest has been due'),
    eventFailures: gauge('parley_event_failures', 'Events that a consumer failed to handle', ['state']),
    eventsBehindSeconds: gauge('parley_events_behind_seconds', 'Age of the oldest event a consumer has not read', [
      'consumer',
    ]),
    credits: gauge('parley_ai_credits_used', 'AI message credits that all projects used this month'),
    projects: gauge('parley_projects', 'Projects'),
    people: gauge('parley_people', 'Accounts'),
    updateAvailable: gauge('parley_update_available', '1 if a newer version was found; not there without UPDATE_CHECK'),
    pool: gauge('parley_database_connections', 'Connections of this process', ['state']),
  }
}
export type StateGauges = ReturnType<typeof createStateGauges>

/** A stopwatch. @returns seconds since it was started */
export function startWatch(): () => number {
  const begun = performance.now()
  return () => (performance.now() - begun) / 1_000
}
