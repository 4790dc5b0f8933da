import type { Db, RootDb } from '../../platform/database/database'

/** Whole credits beyond the plan of a month (UTC) that are to be reported: those after `from`, up to `to`. */
export interface OverageReport {
  month: string
  from: number
  to: number
}

/** @returns the projects that have used credits beyond their plan which were not reported yet */
export async function projectsToReport(db: RootDb): Promise<string[]> {
  const rows = await db
    .selectFrom('credit_months')
    .select('project_id')
    .distinct()
    .where(({ eb, fn, or }) =>
      or([
        eb('overage_reporting', 'is not', null),
        eb(fn<number>('floor', ['overage']), '>', ({ ref }) => ref('overage_reported')),
      ]),
    )
    .execute()
  return rows.map(({ project_id }) => project_id)
}

/**
 * What to report of a project next. It is written down before it is sent, and stays the same until `endReport`: after a
 * crash the same is sent again, which counts once, however much was used meanwhile.
 */
export function beginReport(db: Db, projectId: string): Promise<OverageReport | null> {
  return db.transaction().execute(async (work) => {
    const rows = await work
      .selectFrom('credit_months')
      .select(['month', 'overage', 'overage_reported as from', 'overage_reporting as to'])
      .where('project_id', '=', projectId)
      .orderBy('month')
      .forUpdate()
      .execute()
    const next = rows
      .map(({ overage, to, ...row }) => ({ ...row, to: to ?? Math.floor(Number(overage)) }))
      .find(({ from, to }) => to > from)
    if (!next) return null
    await work
      .updateTable('credit_months')
      .set({ overage_reporting: next.to })
      .where('project_id', '=', projectId)
      .where('month', '=', next.month)
      .execute()
    return next
  })
}

/** Notes that a report has arrived. */
export const endReport = (db: Db, projectId: string, { month, to }: OverageReport) =>
  db
    .updateTable('credit_months')
    .set({ overage_reported: to, overage_reporting: null })
    .where('project_id', '=', projectId)
    .where('month', '=', month)
    .execute()
