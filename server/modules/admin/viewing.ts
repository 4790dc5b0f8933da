import type { FastifyRequest } from 'fastify'
import { isOperator } from '../../access/operators'
import { SESSION_COOKIE } from '../../access/sessions'
import { hashToken } from '../../access/tokens'
import type { ServerContext } from '../../platform/context'
import { ApiError } from '../../platform/errors'
import { type Doer, noteAction } from './noteAction'

/** How long an operator sees the installation as somebody else, in ms. */
const VIEWING = 30 * 60_000

/**
 * From now on the caller's session sees what a person sees, and can change nothing (`access/register.ts`).
 * @throws ApiError not_found; conflict for oneself and for other operators, whose screens are not for reading
 */
export async function beginViewing(
  { db, config }: Pick<ServerContext, 'db' | 'config'>,
  request: FastifyRequest,
  gid: string,
  why: string,
  doer: Doer,
): Promise<void> {
  const person = await db.selectFrom('users').select(['id', 'email']).where('gid', '=', gid).executeTakeFirst()
  if (!person) throw new ApiError('not_found')
  if (await isOperator({ db, config }, person)) throw new ApiError('conflict', { message: RUNS_IT })
  await db.transaction().execute(async (work) => {
    await work
      .updateTable('sessions')
      .set({ viewing_user_id: person.id, viewing_until: new Date(doer.at.getTime() + VIEWING) })
      .where('token_hash', '=', ownHash(request))
      .execute()
    await noteAction(work, doer, 'view_as', person.email, why)
  })
}

/** The caller's session is its holder's again. */
export async function endViewing({ db }: Pick<ServerContext, 'db'>, request: FastifyRequest): Promise<void> {
  await db
    .updateTable('sessions')
    .set({ viewing_user_id: null, viewing_until: null })
    .where('token_hash', '=', ownHash(request))
    .execute()
}

const ownHash = ({ cookies }: FastifyRequest): Buffer => hashToken(cookies[SESSION_COOKIE] ?? '')

const RUNS_IT = 'This account runs the installation as well: nobody sees it as that.'
