import type { OperatorAction } from '../../contracts/admin'
import type { Db } from '../../platform/database/database'

/** Who does something for the installation, and when: an operator on the screen, or the command line. */
export interface Doer {
  /** null: the command line */
  operator: string | null
  at: Date
}

/** Most characters of a target's name and of details, as the table has them. */
const MOST = 400

/**
 * Notes an action in the transaction that does it: there is none without its line.
 * @param target whom or what it is done to, in words that outlive it
 */
export async function noteAction(
  work: Db,
  { operator, at }: Doer,
  action: OperatorAction,
  target: string,
  details = '',
): Promise<void> {
  const line = { at, operator, action, target: target.slice(0, MOST), details: details.slice(0, MOST) }
  await work.insertInto('operator_actions').values(line).execute()
}
