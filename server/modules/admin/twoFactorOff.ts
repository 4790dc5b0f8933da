import type { RootDb } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'
import { turnOffTwoFactor } from '../accounts/two-factor/twoFactor'
import { type Doer, noteAction } from './noteAction'

/**
 * Turns two-factor sign-in off for somebody who has lost what makes their codes.
 * @returns whose it was
 * @throws ApiError not_found; conflict if it is not on
 */
export async function turnOffTwoFactorFor(db: RootDb, gid: string, why: string, doer: Doer) {
  return db.transaction().execute(async (work) => {
    const person = await work
      .selectFrom('users')
      .select(['id', 'email', 'first_name'])
      .where('gid', '=', gid)
      .executeTakeFirst()
    if (!person) throw new ApiError('not_found')
    if (!(await turnOffTwoFactor(work, person.id)))
      throw new ApiError('conflict', { message: 'Two-factor sign-in is not on for this account.' })
    await noteAction(work, doer, 'turn_off_two_factor', person.email, why)
    return person
  })
}
