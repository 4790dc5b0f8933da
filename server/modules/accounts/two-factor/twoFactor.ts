import { randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { hashToken } from '../../../access/tokens'
import { RECOVERY_CODES } from '../../../contracts/two-factor'
import type { ServerContext } from '../../../platform/context'
import type { Db } from '../../../platform/database/database'
import { ApiError } from '../../../platform/errors'
import { createSecrets } from '../../../platform/secrets/secrets'

/** As RFC 6238 proposes and each app knows; others are ignored by some. */
const CODE = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Steps before and after the present one whose codes are right too: clocks differ. */
const DRIFT = 1
/** RFC 4226 wants at least 128 bits and proposes 160. */
const SECRET_BYTES = 20
/** What is set up is confirmed within so many ms. */
const SETUP_MS = 30 * 60_000

/** By what a code was right. */
export type CodeKind = 'code' | 'recovery'

const placeOf = (userId: string) => ({ projectId: '', row: `two_factors/${userId}` })

/** Two-factor sign-in of accounts: secrets of apps, their codes, recovery codes. README.md has the decisions. */
export function createTwoFactor({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const secrets = createSecrets(config)

  /** @returns the step of a right code; null for a wrong one, and where the key that sealed the secret is gone */
  function stepOf(sealed: string, userId: string, code: string): number | null {
    const text = secrets.open(sealed, placeOf(userId))
    if (text === null || !/^\d{6}$/.test(code)) return null
    const timestamp = clock().getTime()
    const delta = TOTP.validate({ token: code, secret: Secret.fromBase32(text), ...CODE, timestamp, window: DRIFT })
    return delta === null ? null : Math.floor(timestamp / (CODE.period * 1_000)) + delta
  }

  async function makeRecoveryCodes(work: Db, userId: string): Promise<string[]> {
    await work.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    const codes = Array.from({ length: RECOVERY_CODES }, makeCode)
    const rows = codes.map((code) => ({ user_id: userId, code_hash: hashToken(plainCode(code)) }))
    await work.insertInto('recovery_codes').values(rows).execute()
    return codes
  }

  return {
    /** @returns since when it is on, and how many recovery codes are left */
    async read(userId: string) {
      const row = await db
        .selectFrom('two_factors')
        .select('confirmed_at')
        .select(({ selectFrom }) =>
          selectFrom('recovery_codes')
            .whereRef('recovery_codes.user_id', '=', 'two_factors.user_id')
            .where('used_at', 'is', null)
            .select(({ fn }) => fn.countAll<string>().as('count'))
            .as('left'),
        )
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      return { on_since: row?.confirmed_at?.toISOString() ?? null, recovery_codes_left: Number(row?.left ?? 0) }
    },

    /** Makes a secret that is to be confirmed. @throws ApiError conflict if it is on already */
    async begin({ id, email }: { id: string; email: string }): Promise<{ secret: string; link: string }> {
      const secret = secretOf(randomBytes(SECRET_BYTES))
      const values = { sealed_secret: secrets.seal(secret.base32, placeOf(id)), created_at: clock() }
      const { numInsertedOrUpdatedRows: begun } = await db
        .insertInto('two_factors')
        .values({ user_id: id, ...values })
        .onConflict((conflict) =>
          conflict.column('user_id').doUpdateSet(values).where('two_factors.confirmed_at', 'is', null),
        )
        .executeTakeFirstOrThrow()
      if (!begun) throw isOnAlready()
      const link = new TOTP({ issuer: 'Parley', label: email, secret, ...CODE }).toString()
      return { secret: secret.base32, link }
    },

    /**
     * Turns on what was begun.
     * @returns the recovery codes; null if the code is wrong
     * @throws ApiError conflict if nothing was begun, or too long ago, or it is on already
     */
    async confirm(work: Db, userId: string, code: string): Promise<string[] | null> {
      const row = await work
        .selectFrom('two_factors')
        .select(['sealed_secret', 'confirmed_at', 'created_at'])
        .where('user_id', '=', userId)
        .forUpdate()
        .executeTakeFirst()
      if (row?.confirmed_at) throw isOnAlready()
      const now = clock()
      if (!row || now.getTime() - row.created_at.getTime() > SETUP_MS)
        throw new ApiError('conflict', { message: 'This took too long. Begin again.' })
      const last_step = stepOf(row.sealed_secret, userId, plainCode(code))
      if (last_step === null) return null
      await work
        .updateTable('two_factors')
        .set({ confirmed_at: now, last_step })
        .where('user_id', '=', userId)
        .execute()
      return makeRecoveryCodes(work, userId)
    },

    /**
     * Takes a code of the app, or a recovery code: each once, also of concurrent calls.
     * @returns which it was; null if it is wrong or was taken before
     */
    async take(userId: string, given: string): Promise<CodeKind | null> {
      const code = plainCode(given)
      const row = await db
        .selectFrom('two_factors')
        .select('sealed_secret')
        .where('user_id', '=', userId)
        .where('confirmed_at', 'is not', null)
        .executeTakeFirst()
      if (!row) return null
      const step = stepOf(row.sealed_secret, userId, code)
      const { numUpdatedRows } =
        step === null
          ? await db
              .updateTable('recovery_codes')
              .set({ used_at: clock() })
              .where('user_id', '=', userId)
              .where('code_hash', '=', hashToken(code))
              .where('used_at', 'is', null)
              .executeTakeFirst()
          : await db
              .updateTable('two_factors')
              .set({ last_step: step })
              .where('user_id', '=', userId)
              .where('last_step', '<', String(step))
              .executeTakeFirst()
      if (numUpdatedRows === 0n) return null
      return step === null ? 'recovery' : 'code'
    },

    renewRecoveryCodes: (userId: string) => db.transaction().execute((work) => makeRecoveryCodes(work, userId)),

    turnOff: (userId: string) => db.transaction().execute((work) => turnOffTwoFactor(work, userId)),
  }
}
export type TwoFactor = ReturnType<typeof createTwoFactor>

/**
 * Turns two-factor sign-in off. Sessions that a code has opened count from then on as opened by the password alone.
 * @returns whether it was on
 */
export async function turnOffTwoFactor(work: Db, userId: string): Promise<boolean> {
  const deleted = await work
    .deleteFrom('two_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  await work
    .updateTable('sessions')
    .set({ second_factor: null })
    .where('user_id', '=', userId)
    .where('second_factor', 'in', ['code', 'recovery'])
    .execute()
  return deleted?.confirmed_at != null
}

/** A copy of the bytes: a buffer of Node's shares its memory with others. */
const secretOf = (bytes: Buffer) => new Secret({ buffer: new Uint8Array(bytes).buffer })

const isOnAlready = () => new ApiError('conflict', { message: 'Two-factor sign-in is on already.' })

/** Without what is there for the eye. */
const plainCode = (code: string): string => code.toLowerCase().replace(/[\s-]/g, '')

/** 80 random bits, which nobody finds by their hash; base32 has no 0, 1, 8 or 9 that look like letters. */
function makeCode(): string {
  const { base32 } = secretOf(randomBytes(10))
  return (base32.toLowerCase().match(/.{4}/g) ?? []).join('-')
}
