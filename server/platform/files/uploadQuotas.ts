import { sql } from 'kysely'
import type { ServerContext } from '../context'
import type { ProjectDb, Work } from '../database/database'
import { ApiError } from '../errors'
import { callerAddress } from '../http/callerAddress'

/** The time window of upload quotas; unfinished uploads expire after it. */
const WINDOW_MS = 60 * 60_000
/** The most files per window, whatever their size. */
const MOST = { address: 200, chatbot_id: 2_000, project_id: 5_000 } as const

/** Who uploads; members of the project have no address and no chatbot. */
export interface Upload {
  projectId: string
  visitor: { chatbotId: string; address: string } | null
  /** at most */
  bytes: number
}

/**
 * Upload quotas: per hour for visitors from one address, to one chatbot, to one project; and the total storage of a
 * project. Reservations are in the database before the first byte arrives, so that neither parallel uploads nor several
 * processes exceed a quota.
 */
export function createUploadQuotas({ db, clock, config }: Pick<ServerContext, 'db' | 'clock' | 'config'>) {
  const { uploadsPerAddress, uploadsPerChatbot, uploadsPerProject, filesPerProject } = config.quotas

  /** Throws the error of a used-up quota. */
  async function refuseAbove(work: Work, upload: Upload, of: keyof typeof MOST, id: string): Promise<void> {
    const since = new Date(clock().getTime() - WINDOW_MS)
    const { count, bytes, oldest } = await work
      .selectFrom('uploads')
      .select(({ fn }) => [
        fn.countAll<string>().as('count'),
        fn.sum<string | null>('bytes').as('bytes'),
        fn.min('created_at').as('oldest'),
      ])
      .where(of, '=', id)
      .where('address', 'is not', null)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
    const most = { address: uploadsPerAddress, chatbot_id: uploadsPerChatbot, project_id: uploadsPerProject }[of]
    if (Number(count) < MOST[of] && Number(bytes) + upload.bytes <= most) return
    const free = (oldest ?? clock()).getTime() + WINDOW_MS - clock().getTime()
    throw new ApiError('upload_limit', { retryAfter: Math.max(60, Math.ceil(free / 1_000)) })
  }

  /**
   * A project's stored files plus current uploads. A file that has just arrived may count twice for a moment, never
   * less than once.
   */
  async function refuseAboveTotal(work: Work | ProjectDb, { projectId, visitor, bytes }: Upload): Promise<void> {
    const sumOf = (table: 'files' | 'sent_files' | 'knowledge_sources' | 'uploads') =>
      work
        .selectFrom(table)
        .select(({ fn }) => fn.sum<string | null>('bytes').as('bytes'))
        .where('project_id', '=', projectId)
    const sums = await sumOf('files')
      .unionAll(sumOf('sent_files'))
      .unionAll(sumOf('knowledge_sources').where('sha256', 'is not', null))
      .unionAll(sumOf('uploads').where('under_way', '=', true))
      .unionAll(
        work
          .selectFrom('local_models')
          .select(({ fn }) => fn.sum<string | null>('loaded_bytes').as('bytes'))
          .where('project_id', '=', projectId),
      )
      .execute()
    const held = sums.reduce((sum, row) => sum + Number(row.bytes), 0)
    if (held + bytes > filesPerProject) {
      throw new ApiError('project_full', { message: visitor ? FULL_FOR_VISITORS : undefined, retryAfter: 3_600 })
    }
  }

  /** Reserves space for an upload; returns the reservation's id. */
  async function reserve(upload: Upload): Promise<string> {
    const { projectId, visitor, bytes } = upload
    const { id } = await db.transaction().execute(async (work) => {
      // serialized by address, then by project: always in this order, so that no deadlock occurs
      if (visitor) await sql`select pg_advisory_xact_lock(40, hashtext(${visitor.address}))`.execute(work)
      await sql`select pg_advisory_xact_lock(41, hashtext(${projectId}))`.execute(work)
      if (visitor) {
        await refuseAbove(work, upload, 'address', visitor.address)
        await refuseAbove(work, upload, 'chatbot_id', visitor.chatbotId)
        await refuseAbove(work, upload, 'project_id', projectId)
      }
      await refuseAboveTotal(work, upload)
      return work
        .insertInto('uploads')
        .values({
          project_id: projectId,
          chatbot_id: visitor?.chatbotId ?? null,
          address: visitor?.address ?? null,
          bytes,
          created_at: clock(),
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    return id
  }

  return {
    /** Before a download for a project. @throws ApiError `project_full` if so many bytes more are too many */
    refuseMore: (projectId: string, bytes: number): Promise<void> =>
      refuseAboveTotal(db.forProject(projectId), { projectId, visitor: null, bytes }),
    /**
     * Runs an upload with a reservation.
     * @throws ApiError `upload_limit` if the hourly quota is used up, `project_full` if the project's storage is; and
     *   what `take` throws, in which case nothing counts
     */
    async during<Taken extends { bytes: number }>(given: Upload, take: () => Promise<Taken>): Promise<Taken> {
      const visitor = given.visitor && { ...given.visitor, address: callerAddress(given.visitor.address) }
      const id = await reserve({ ...given, visitor })
      try {
        const taken = await take()
        await db
          .updateTable('uploads')
          .set({ bytes: taken.bytes, under_way: false })
          .where('id', '=', id)
          .where('project_id', '=', given.projectId)
          .execute()
        return taken
      } catch (error) {
        await db.deleteFrom('uploads').where('id', '=', id).where('project_id', '=', given.projectId).execute()
        throw error
      }
    },
  }
}

const FULL_FOR_VISITORS = 'No more files can be taken here at the moment.'

/** Deletes entries that no quota counts any more, including those left by a crash. For all projects. */
export async function forgetUploads({ db, clock }: Pick<ServerContext, 'db' | 'clock'>): Promise<void> {
  await db
    .deleteFrom('uploads')
    .where('created_at', '<', new Date(clock().getTime() - WINDOW_MS))
    .execute()
}
