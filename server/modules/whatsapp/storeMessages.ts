import { sql } from 'kysely'
import { z } from 'zod'
import type { ProjectWork } from '../../platform/database/database'
import { defineJob } from '../../platform/jobs/defineJob'
import { insertAgain } from '../../platform/jobs/insertJob'
import type { ConnectionRow } from './connections'
import { notePeople, type Writer } from './people'
import { readAside } from './readChange'
import type { InboundMessage } from './readWebhook'

/** Takes a person's stored messages into their conversation. */
export const takeMessages = defineJob('take-whatsapp', z.strictObject({ person: z.string() }))

/** Takes one that failed among a person's others; what it fails at now is shown with the project's failed jobs. */
export const takeApart = defineJob('take-whatsapp-apart', z.strictObject({ person: z.string(), message: z.string() }))

/** A message, and when its webhook came. */
export type ArrivedMessage = InboundMessage & { arrivedAt: Date }

/** Rows of one statement. */
const AT_ONCE = 500

/**
 * Stores people's messages, with the jobs that take them into conversations. A message that comes again is there
 * already.
 * @param messages in the order in which they came
 */
export async function storeMessages(
  work: ProjectWork,
  connection: Pick<ConnectionRow, 'id' | 'project_id'>,
  messages: readonly ArrivedMessage[],
  now: Date,
): Promise<void> {
  if (messages.length === 0) return
  // one transaction at a time adds people to a number
  await work
    .selectFrom('whatsapp_connections')
    .select('id')
    .where('id', '=', connection.id)
    .where('project_id', '=', connection.project_id)
    .forNoKeyUpdate()
    .execute()
  for (let from = 0; from < messages.length; from += AT_ONCE)
    await storePart(work, connection, messages.slice(from, from + AT_ONCE), now)
}

async function storePart(
  work: ProjectWork,
  connection: Pick<ConnectionRow, 'id' | 'project_id'>,
  messages: readonly ArrivedMessage[],
  now: Date,
): Promise<void> {
  const people = await notePeople(work, connection, messages.map(writerOf))
  await sql`
    with stored as (
      insert into whatsapp_inbound (project_id, connection_id, person_id, wamid, message, sent_at, created_at)
      select ${connection.project_id}, ${connection.id}, person, wamid, message, sent_at, arrived_at
      from unnest(
        ${people}::bigint[], ${messages.map(({ wamid }) => wamid)}::text[],
        ${messages.map(({ message }) => JSON.stringify(message))}::json[],
        ${messages.map(({ sentAt }) => sentAt.toISOString())}::timestamptz[],
        ${messages.map(({ arrivedAt }) => arrivedAt.toISOString())}::timestamptz[])
        with ordinality as given (person, wamid, message, sent_at, arrived_at, place)
      order by place
      on conflict (connection_id, wamid) do nothing
      returning project_id, person_id::text)
    ${insertAgain(
      takeMessages,
      sql`
        select project_id, person_id, json_build_object('person', person_id)
        from (select distinct project_id, person_id from stored) as each`,
      now,
    )}`.execute(work)
}

/** What WhatsApp says of somebody is no message of theirs. */
function writerOf({ person, sentAt, message }: ArrivedMessage): Writer {
  if (typeof message !== 'object' || message === null || !('type' in message) || message.type !== 'system')
    return { person, sentAt }
  const aside = readAside(message)
  return { person, sentAt, told: true, movedTo: aside?.type === 'number_changed' ? aside.phone : null }
}
