import { createHash } from 'node:crypto'
import type { ServerContext } from '../../platform/context'
import type { Db } from '../../platform/database/database'
import { ApiError } from '../../platform/errors'

/** For so long a repeated call gets the first one's answer, in ms. */
export const KEPT_MS = 24 * 60 * 60_000
/** Longer than any call takes: one that is older died with its process, in ms. */
const LONGEST_CALL_MS = 10 * 60_000
/** Longer answers are not kept, in characters. */
const MOST_ANSWER = 256_000
/** What a program may name its call: visible ASCII. */
const KEY = /^[\x21-\x7e]{1,255}$/

export interface Answered {
  status: number
  /** null: no content */
  answer: unknown
}

interface NamedCall {
  projectId: string
  /** of the API key */
  keyId: string
  /** the header `Idempotency-Key` */
  name: string
  /** all that decides what the call does */
  sent: unknown
  /** its answer is not kept, since it holds a secret */
  secret: boolean
}

/**
 * Carries out a call once, however often it is sent under one name within a day; refused calls may be sent again.
 * @returns the answer, and whether it is that of an earlier call
 * @throws ApiError `invalid` for a name that is none, or was another call's; `conflict` while the first one is under
 *   way, and for one that was done but whose answer is not kept; what `run` throws
 */
export async function once(
  { db, clock }: { db: Db } & Pick<ServerContext, 'clock'>,
  call: NamedCall,
  run: () => Promise<Answered>,
): Promise<Answered & { repeated: boolean }> {
  if (!KEY.test(call.name))
    throw new ApiError('invalid', {
      message: 'The header Idempotency-Key takes up to 255 letters, digits and signs, without spaces.',
    })
  const fingerprint = createHash('sha256').update(JSON.stringify(call.sent)).digest()
  const row = { project_id: call.projectId, api_key_id: call.keyId, idempotency_key: call.name }
  const now = clock()
  const begun = await db
    .insertInto('api_calls')
    .values({ ...row, fingerprint, status: null, answer: null, created_at: now })
    .onConflict((known) =>
      known
        .columns(['project_id', 'api_key_id', 'idempotency_key'])
        .doUpdateSet({ fingerprint, status: null, answer: null, created_at: now })
        .where(({ eb, or, and }) =>
          or([
            eb('api_calls.created_at', '<', new Date(now.getTime() - KEPT_MS)),
            and([
              eb('api_calls.status', 'is', null),
              eb('api_calls.created_at', '<', new Date(now.getTime() - LONGEST_CALL_MS)),
            ]),
          ]),
        ),
    )
    .executeTakeFirst()
  const ofCall = db.updateTable('api_calls').where('project_id', '=', call.projectId)
  if (Number(begun.numInsertedOrUpdatedRows ?? 0) === 0) return { ...(await earlier()), repeated: true }
  try {
    const answered = await run()
    const text = answered.answer === null ? null : JSON.stringify(answered.answer)
    const isKept = !call.secret && (text === null || text.length <= MOST_ANSWER)
    await ofCall
      .set({ status: isKept ? answered.status : 0, answer: isKept ? text : null })
      .where('api_key_id', '=', call.keyId)
      .where('idempotency_key', '=', call.name)
      .execute()
    return { ...answered, repeated: false }
  } catch (error) {
    // nothing was done: the same name may be used for the call as it should have been
    await db
      .deleteFrom('api_calls')
      .where('project_id', '=', call.projectId)
      .where('api_key_id', '=', call.keyId)
      .where('idempotency_key', '=', call.name)
      .execute()
    throw error
  }

  async function earlier(): Promise<Answered> {
    const known = await db
      .selectFrom('api_calls')
      .select(['fingerprint', 'status', 'answer'])
      .where('project_id', '=', call.projectId)
      .where('api_key_id', '=', call.keyId)
      .where('idempotency_key', '=', call.name)
      .executeTakeFirst()
    if (known && !known.fingerprint.equals(fingerprint))
      throw new ApiError('invalid', { message: `Another call was sent as “${call.name}” before. Name each call once.` })
    if (!known || known.status === null)
      throw new ApiError('conflict', {
        message: `The call “${call.name}” is under way. Ask again in a moment.`,
        retryAfter: 5,
      })
    if (known.status === 0)
      throw new ApiError('conflict', {
        message: `The call “${call.name}” was done; its answer is not kept. Read what it made instead.`,
      })
    return { status: known.status, answer: known.answer === null ? null : JSON.parse(known.answer) }
  }
}
