import { mayCarryOut } from '../../../access/roles'
import type { Db } from '../../../platform/database/database'
import type { Writes } from '../../../platform/effects/callContext'
import type { Conversation } from './rows'

type Run = Pick<Conversation, 'project_id' | 'environment' | 'started_by' | 'carries_out'>

/** Whether a conversation counts for statistics: visitors' conversations do, tests don't. */
export const isReal = ({ environment }: Pick<Run, 'environment'>): boolean =>
  environment === 'production' || environment === 'sharing'

/**
 * Whether a conversation's external effects are carried out or simulated. A test's setting is stored in its row, so
 * that a turn interrupted by a crash continues as it started; whether the tester may carry them out is checked at each
 * call, since roles change meanwhile (PRODUCT.md: an editor may, a viewer not).
 */
export async function writesOf(db: Db, run: Run): Promise<Writes> {
  if (isReal(run)) return 'real'
  if (!run.carries_out || run.started_by === null) return 'simulated'
  const member = await db
    .selectFrom('project_members')
    .select('roles')
    .where('project_id', '=', run.project_id)
    .where('user_id', '=', run.started_by)
    .executeTakeFirst()
  return member && mayCarryOut(member.roles) ? 'marked' : 'simulated'
}
