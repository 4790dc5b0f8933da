import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import { defineJob } from '../../platform/jobs/defineJob'
import type { ConnectionRow } from './connections'
import { notePerson } from './people'
import { type InboundMessage, type NumberReport, readWebhook } from './readWebhook'
import type { Statuses } from './statuses'

/** Takes a person's stored messages into their conversation. */
export const takeMessages = defineJob('take-whatsapp', z.strictObject({ person: z.string() }))

/**
 * Stores what a webhook says, so that WhatsApp can be answered at once. A message that comes again is there already.
 * @param connectionOf the connection of a number whose secret signs the webhook as well; others are passed over
 */
export function createInbound(context: Pick<ServerContext, 'db' | 'clock' | 'jobs'>, statuses: Statuses) {
  const { db, clock, jobs } = context

  async function store(connection: ConnectionRow, { messages, statuses: told }: NumberReport): Promise<void> {
    const own = db.forProject(connection.project_id)
    if (messages.length > 0)
      await own.transaction().execute(async (work) => {
        for (const message of messages) await storeMessage(work, connection, message)
      })
    for (const status of told) await statuses.note(connection, status)
  }

  async function storeMessage(work: ProjectWork, connection: ConnectionRow, given: InboundMessage): Promise<void> {
    const { wamid, person, sentAt, message } = given
    const { id } = await notePerson(work, connection, person, sentAt)
    const added = await work
      .insertInto('whatsapp_inbound')
      .values({
        ...{ project_id: connection.project_id, connection_id: connection.id, person_id: id, wamid },
        ...{ message: JSON.stringify(message), sent_at: sentAt, created_at: clock() },
      })
      .onConflict((conflict) => conflict.columns(['connection_id', 'wamid']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return
    const job = { key: id, payload: { person: id }, runAt: clock(), projectId: connection.project_id }
    await jobs.schedule(work, takeMessages, job)
  }

  return async (body: unknown, connectionOf: (numberId: string) => Promise<ConnectionRow | null>): Promise<void> => {
    for (const report of readWebhook(body)) {
      const connection = await connectionOf(report.numberId)
      if (connection) await store(connection, report)
    }
    jobs.wake()
  }
}
