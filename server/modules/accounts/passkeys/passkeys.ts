import type { Selectable } from 'kysely'
import { hashToken } from '../../../access/tokens'
import { MOST_PASSKEYS, type Passkey } from '../../../contracts/passkeys'
import type { ServerContext } from '../../../platform/context'
import type { Work } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import type { PasskeysTable } from './tables'

/** A key that a device has made. */
interface NewKey {
  id: string
  publicKey: Buffer
  counter: number
  transports: string[]
}

const SHOWN = ['gid', 'name', 'created_at', 'used_at'] as const

/** The passkeys of accounts. README.md has the decisions. */
export function createPasskeys({ db, clock, ids }: Pick<ServerContext, 'db' | 'clock' | 'ids'>) {
  return {
    /** Oldest first. */
    async list(userId: string): Promise<Passkey[]> {
      const rows = await db
        .selectFrom('passkeys')
        .select(SHOWN)
        .where('user_id', '=', userId)
        .orderBy('passkeys.id')
        .execute()
      return rows.map(present)
    },

    /**
     * The keys of an account, as its browsers know them.
     * @throws ApiError conflict if there is no room for another
     */
    async knownOf(userId: string): Promise<{ id: string; transports: string[] }[]> {
      const known = await db
        .selectFrom('passkeys')
        .select(['credential_id as id', 'transports'])
        .where('user_id', '=', userId)
        .execute()
      if (known.length >= MOST_PASSKEYS) throw full()
      return known
    },

    /** @throws ApiError conflict if there is no room for another, or some account has it already */
    add(userId: string, name: string, key: NewKey): Promise<Passkey> {
      return db.transaction().execute(async (work) => {
        // two that are added at once count each other
        await work.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
        const { count } = await work
          .selectFrom('passkeys')
          .select(({ fn }) => fn.countAll<string>().as('count'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (Number(count) >= MOST_PASSKEYS) throw full()
        const row = await work
          .insertInto('passkeys')
          .values({
            ...{ gid: ids(), user_id: userId, name, created_at: clock() },
            ...{ credential_id: key.id, public_key: key.publicKey, counter: key.counter, transports: key.transports },
          })
          .onConflict((conflict) => conflict.column('credential_id').doNothing())
          .returning(SHOWN)
          .executeTakeFirst()
        if (!row) throw new ApiError('conflict', { message: 'This passkey was added already.' })
        return present(row)
      })
    },

    /** The account that a passkey opens, with what its answer is checked by. */
    find: (credentialId: string) =>
      db
        .selectFrom('passkeys')
        .innerJoin('users', 'users.id', 'passkeys.user_id')
        .select(['users.id', 'users.gid', 'users.email', 'users.first_name', 'users.last_name'])
        .select(['passkeys.id as passkey', 'passkeys.public_key as publicKey'])
        .where('passkeys.credential_id', '=', credentialId)
        .executeTakeFirst(),

    /**
     * Notes a use, by how often the device says that it has signed.
     * @returns false: it has said as much before, so that somebody has a copy of the key, or it was just removed
     */
    async use(id: string, counter: number): Promise<boolean> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ counter, used_at: clock() })
        .where('id', '=', id)
        // devices that do not count say 0 each time
        .where(({ eb, or }) =>
          or([eb('counter', '<', String(counter)), ...(counter === 0 ? [eb('counter', '=', '0')] : [])]),
        )
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },

    /** @throws ApiError not_found */
    async rename(userId: string, gid: string, name: string): Promise<void> {
      const { numUpdatedRows } = await db
        .updateTable('passkeys')
        .set({ name })
        .where('gid', '=', gid)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw new ApiError('not_found')
    },

    /**
     * Removes one. Which passkey has opened a session is not kept, so all of them end but the calling one, which counts
     * as opened by the password alone if that was the last.
     * @param token of the calling session
     * @throws ApiError not_found
     */
    async remove(userId: string, gid: string, token: string): Promise<void> {
      await db.transaction().execute(async (work) => {
        const { numDeletedRows } = await work
          .deleteFrom('passkeys')
          .where('gid', '=', gid)
          .where('user_id', '=', userId)
          .executeTakeFirst()
        if (numDeletedRows === 0n) throw new ApiError('not_found')
        await work
          .deleteFrom('sessions')
          .where('user_id', '=', userId)
          .where('second_factor', '=', 'passkey')
          .where('token_hash', '!=', hashToken(token))
          .execute()
        await weakenWithoutPasskeys(work, userId)
      })
    },
  }
}
export type Passkeys = ReturnType<typeof createPasskeys>

async function weakenWithoutPasskeys(work: Work, userId: string): Promise<void> {
  await work
    .updateTable('sessions')
    .set({ second_factor: null })
    .where('user_id', '=', userId)
    .where('second_factor', '=', 'passkey')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('passkeys').select('passkeys.id').where('passkeys.user_id', '=', userId))),
    )
    .execute()
}

const full = () =>
  new ApiError('conflict', { message: 'This account has as many passkeys as it can have. Remove one first.' })

type Shown = Pick<Selectable<PasskeysTable>, (typeof SHOWN)[number]>

const present = ({ gid, name, created_at, used_at }: Shown): Passkey => ({
  ...{ gid, name },
  created_at: created_at.toISOString(),
  used_at: used_at?.toISOString() ?? null,
})
