import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import { type Consumer, defineConsumer } from '../../../platform/events/defineConsumer'
import { defineJob, type HandledJob } from '../../../platform/jobs/defineJob'
import { VendorError } from '../calls/vendorError'
import { integrationConnected } from '../events'
import type { Hooks } from './hooks'
import { calendly } from './vendor'

/** When it is tried again while Calendly can't be asked, in ms. */
const LATER = 15 * 60_000

const keepHook = defineJob('calendly-webhook', z.strictObject({ connection: z.string() }))

type Context = Pick<ServerContext, 'db' | 'clock' | 'jobs'>

/** Once an account is connected, Calendly is asked to tell of its bookings. */
export const subscribesWhenConnected = ({ clock, jobs }: Context): Consumer =>
  defineConsumer({
    name: 'calendly-webhooks',
    events: [integrationConnected],
    since: 'now',
    async handle(work, { payload, projectId }) {
      if (payload.vendor !== calendly.slug) return
      await jobs.schedule(work, keepHook, jobOf(payload.connection, projectId, clock()))
    },
  })

export const keepsHook = ({ db, clock }: Context, hooks: Hooks): HandledJob =>
  keepHook.handledBy(async ({ connection }, { projectId }) => {
    if (projectId === null) return undefined
    const row = await db
      .forProject(projectId)
      .selectFrom('connections')
      .selectAll()
      .where('gid', '=', connection)
      .executeTakeFirst()
    if (!row) return undefined
    try {
      await hooks.keep(row)
    } catch (error) {
      if (!(error instanceof VendorError)) throw error
      return new Date(clock().getTime() + LATER)
    }
    return undefined
  })

/** Looks after all subscriptions: Calendly ends one after a day in which nobody answered. */
export async function keepAllHooks({ db, clock, jobs }: Context): Promise<void> {
  const rows = await db
    .selectFrom('connections')
    .select(['gid', 'project_id'])
    .where('vendor', '=', calendly.slug)
    .where('problem', 'is', null)
    .execute()
  for (const { gid, project_id } of rows)
    await jobs.schedule(db.forProject(project_id), keepHook, jobOf(gid, project_id, clock()))
}

/** One a connection at a time. */
const jobOf = (connection: string, projectId: string, runAt: Date) => ({
  ...{ payload: { connection }, key: connection, runAt, projectId },
})
