import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Json } from '../../../engine/values/json'
import type { ServerContext } from '../../platform/context'
import { VendorError } from './calls/vendorError'

/** The mark that a write leaves at the vendor, by which it is known again. */
export interface WriteMark {
  id: number
  value: string
}

/** What is to be done, read anew at each attempt. */
export interface Prepared<Answer extends Json> {
  /** what the call is answered once it is done; stored, so it holds nothing that people said */
  answer: Answer
  /**
   * Does it, at once with leaving the mark and taking away those of writes that are done. Null: there is nothing to do
   * @returns what the call is answered, if only the vendor knows
   */
  carryOut: ((mark: WriteMark, done: readonly number[]) => Promise<Answer | undefined>) | null
}

export interface Write<Answer extends Json> {
  projectId: string
  /** the same key is the same write */
  key: string
  /** what it writes to, whose marks it may take away */
  target: string
  /** false: the vendor takes no marks */
  leavesMark?: false
  prepare: () => Promise<Prepared<Answer>>
  /** Looks whether it was done: what the call is answered, or null. */
  recover: (write: {
    mark: WriteMark
    answer: Answer
    since: Date
    /** whether another write to the same target has been answered that */
    isAnotherWrites: (answer: Answer) => Promise<boolean>
  }) => Promise<{ answer: Answer } | null>
}

/** How often a write is tried whose answer got lost. */
const ATTEMPTS = 3
/** How many marks one write takes away. */
const MARKS = 20
/** Until when a write may be repeated. */
const KEPT = 30 * 24 * 60 * 60_000

/**
 * Writes at vendors, each exactly once: a write and its mark are one atomic change there. Where it is unknown whether
 * a write arrived (the answer got lost, the server crashed), the mark says.
 */
export function createWrites({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) {
  return {
    /** @throws VendorError, after which it is not done, or not known to be */
    async once<Answer extends Json>({ projectId, key, target, ...write }: Write<Answer>): Promise<Answer> {
      const own = db.forProject(projectId)
      const mark = markOf(key)
      const added = await own
        .insertInto('vendor_writes')
        .values({
          project_id: projectId,
          key,
          target,
          mark: write.leavesMark === false ? null : mark.id,
          answer: null,
          created_at: clock(),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning('key')
        .executeTakeFirst()
      const known = added ? null : await find()
      if (known?.done) return known.answer as Answer
      const begun = known ? known.created_at : clock()
      const earlier = known && known.answer !== null ? await recover(known.answer as Answer) : null
      if (earlier) return finish(earlier.answer)
      let takes = true
      for (let attempt = 1; ; attempt++) {
        const { answer, carryOut } = await write.prepare()
        await own
          .updateTable('vendor_writes')
          .set({ answer: JSON.stringify(answer), ...(carryOut === null && { mark: null }) })
          .where('key', '=', key)
          .execute()
        if (carryOut === null) return finish(answer)
        const taken = takes && write.leavesMark !== false ? await takeMarks() : []
        const ids = taken.map((one) => markOf(one).id)
        try {
          return await finish((await carryOut(mark, ids)) ?? answer)
        } catch (error) {
          if (!(error instanceof VendorError)) throw error
          const isRefused = error.code === 'refused'
          const isLooked = error.isUncertain || (isRefused && write.leavesMark !== false)
          const done = isLooked ? await recover(answer) : null
          if (done) return await finish(done.answer)
          // a mark that somebody else has taken away: those of this attempt are let be
          const isWithoutMarks = isRefused && taken.length > 0
          if (!isWithoutMarks) await giveBack(taken)
          takes = false
          if (!(error.isUncertain || isWithoutMarks) || attempt >= ATTEMPTS) throw error
        }
      }

      function find() {
        const rows = own.selectFrom('vendor_writes').select(['done', 'answer', 'created_at'])
        return rows.where('key', '=', key).executeTakeFirst()
      }

      function recover(answer: Answer) {
        return write.recover({ mark, answer, since: begun, isAnotherWrites })
      }

      async function isAnotherWrites(answer: Answer): Promise<boolean> {
        const other = await own
          .selectFrom('vendor_writes')
          .select('key')
          .where('target', '=', target)
          .where('done', '=', true)
          .where('key', '!=', key)
          .where('answer', '=', sql<Json>`${JSON.stringify(answer)}::jsonb`)
          .executeTakeFirst()
        return other !== undefined
      }

      async function finish(answer: Answer): Promise<Answer> {
        const values = { done: true, answer: JSON.stringify(answer) }
        await own.updateTable('vendor_writes').set(values).where('key', '=', key).execute()
        return answer
      }

      /** Writes whose marks are needed no more, each for one taker. */
      async function takeMarks(): Promise<string[]> {
        const rows = await own
          .updateTable('vendor_writes')
          .set({ mark: null })
          .where('key', 'in', (from) =>
            from
              .selectFrom('vendor_writes as other')
              .select('other.key')
              .where('other.project_id', '=', projectId)
              .where('other.target', '=', target)
              .where('other.done', '=', true)
              .where('other.mark', 'is not', null)
              .limit(MARKS)
              .forUpdate()
              .skipLocked(),
          )
          .returning('key')
          .execute()
        return rows.map((row) => row.key)
      }

      async function giveBack(keys: readonly string[]): Promise<void> {
        for (const one of keys)
          await own
            .updateTable('vendor_writes')
            .set({ mark: markOf(one).id })
            .where('key', '=', one)
            .execute()
      }
    },

    /** Forgets writes that are not repeated any more; for all projects. */
    forgetOld: () =>
      db
        .deleteFrom('vendor_writes')
        .where('created_at', '<', new Date(clock().getTime() - KEPT))
        .execute(),
  }
}
export type Writes = ReturnType<typeof createWrites>

/** The same for the same key: a positive number of 31 bits, and enough of the hash to tell two of these apart. */
export function markOf(key: string): WriteMark {
  const hash = createHash('sha256').update(key).digest()
  return { id: hash.readUInt32BE(0) % 0x7fffffff || 1, value: hash.subarray(4, 22).toString('base64url') }
}
