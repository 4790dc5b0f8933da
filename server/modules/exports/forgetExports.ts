import { sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import { writeExport } from './writeExport'

/** Exports deleted at once, each with its parts. */
const AT_ONCE = 20

/** Deletes exports that have expired, and says of which the job was given up. */
export async function forgetExports({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  await sql`update exports set status = 'failed', finished_at = ${clock()} from jobs
    where jobs.kind = ${writeExport.kind} and jobs.key = exports.gid and jobs.project_id = exports.project_id
      and jobs.failed_at is not null and exports.status in ('waiting', 'running')`.execute(db)
  for (;;) {
    const gone = await db
      .deleteFrom('exports')
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('exports').select('id').where('expires_at', '<=', clock()).orderBy('expires_at').limit(AT_ONCE),
      )
      .returning('id')
      .execute()
    if (gone.length < AT_ONCE) return
  }
}
