import type { ServerContext } from '../../../platform/context'
import type { Sweep } from '../../../platform/jobs/sweeps'
import { countVisits } from '../../statistics/countVisits'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** @param recover continues turns that a terminated process left */
export function turnSweeps(context: ServerContext, recover: () => Promise<unknown>): Sweep[] {
  return [
    { kind: 'resume-cut-turns', every: MINUTE, sweep: recover },
    { kind: 'count-visits', every: MINUTE, sweep: () => countVisits(context) },
    { kind: 'forget-frozen-drafts', every: DAY / 24, sweep: () => forgetDrafts(context) },
  ]
}

/**
 * Deletes drafts frozen by the playground that no run uses, once they are a day old. It covers all projects, since it
 * maintains the whole installation.
 */
function forgetDrafts({ db, clock }: ServerContext) {
  return db
    .deleteFrom('flow_versions')
    .where('number', 'is', null)
    .where('created_at', '<', new Date(clock().getTime() - DAY))
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('runs').select('id').whereRef('runs.flow_version_id', '=', 'flow_versions.id'))),
    )
    .execute()
}
