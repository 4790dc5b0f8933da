import { mayCarryOut } from '../../../access/roles'
import type { Db } from '../../../platform/database/database'
import type { Writes } from '../../../platform/effects/callContext'
import type { Conversation } from './rows'

type Run = Pick<Conversation, 'project_id' | 'environment' | 'started_by' | 'carries_out'>

/** Whether a conversation counts: a visitor's does, a tester's does not. */
export const isReal = ({ environment }: Pick<Run, 'environment'>): boolean =>
  environment === 'production' || environment === 'sharing'

/**
 * What becomes of what a conversation's calls change outside. A test's switch stands in its row, so that a turn that a crash cut goes on
 * as it began; whether who tests still may is asked at each call, since roles change meanwhile (PRODUCT.md: an editor, a viewer not).
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
