import { type QueryCreator, type RawBuilder, sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { Database } from '../database/tables'
import { traceHere } from '../tracing/spans'
import type { JobKind } from './defineJob'

/** A job for a later time than this, in ms, begins a trace: the one that scheduled it is over. */
const TRACED_FOR = 60 * 60_000

export interface NewJob<Payload> {
  payload: Payload
  runAt: Date
  /** null for jobs of the installation */
  projectId: string | null
  /** at most one job per kind and key; a new one replaces it */
  key?: string
  /** keeps the existing one instead */
  keep?: boolean
}

/** The statement that inserts a job, for use as part of another one. */
export function insertJob<Payload extends Json>(
  on: Pick<QueryCreator<Database>, 'insertInto'>,
  { kind }: JobKind<Payload>,
  { payload, runAt, projectId, key, keep = false }: NewJob<Payload>,
  at: Date,
) {
  const values = {
    project_id: projectId,
    kind,
    key: key ?? null,
    payload: JSON.stringify(payload),
    run_at: runAt,
    created_at: at,
    trace: runAt.getTime() - at.getTime() > TRACED_FOR ? null : traceHere(),
  }
  const fresh = { attempts: 0, lease: null, failed_at: null, error: null }
  return on
    .insertInto('jobs')
    .values(values)
    .onConflict((conflict) => {
      const same = conflict.columns(['kind', 'key'])
      // a job that was given up is replaced: otherwise `keep` would block its key for ever
      const revive = { ...values, ...fresh }
      return keep ? same.doUpdateSet(revive).where('jobs.failed_at', 'is not', null) : same.doUpdateSet(revive)
    })
}

/**
 * The statement that inserts jobs of one kind that are due now, for use at the end of another one. A job that waits
 * with the same key is due now as well; one that is under way runs once more after that, rather than beside it; one
 * that was given up begins anew.
 * @param rows selects `project_id`, `key` and `payload`, each key once
 */
export const insertAgain = <Payload extends Json>(
  { kind }: JobKind<Payload>,
  rows: RawBuilder<unknown>,
  at: Date,
) => sql`
  insert into jobs (project_id, kind, key, payload, run_at, created_at, trace)
  select project_id, ${kind}, key, payload, ${at}::timestamptz, ${at}::timestamptz, ${traceHere()}::text
  from (${rows}) as given (project_id, key, payload)
  -- always in one order: two that insert the same keys wait for each other
  order by key
  on conflict (kind, key) do update set
    run_at = case when jobs.lease is null or jobs.failed_at is not null then excluded.run_at else jobs.run_at end,
    again = jobs.lease is not null and jobs.failed_at is null,
    attempts = case when jobs.failed_at is null then jobs.attempts else 0 end,
    failed_at = null,
    trace = excluded.trace,
    error = case when jobs.failed_at is null then jobs.error end
  where jobs.failed_at is not null or (jobs.lease is null and jobs.run_at > excluded.run_at)
    or (jobs.lease is not null and not jobs.again)`
