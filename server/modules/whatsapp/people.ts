import { type Selectable, sql } from 'kysely'
import type { ProjectWork } from '../../platform/database/database'
import type { ConnectionRow } from './connections'
import type { WhatsappPeopleTable } from './tables'

export type PersonRow = Selectable<WhatsappPeopleTable>

/** How WhatsApp names somebody: people who hide their number have a user id alone. */
export interface PersonId {
  userId: string | null
  phone: string | null
  name: string
}

const HOUR = 3_600_000
const WINDOW_HOURS = 24

/** Who wrote, and when. */
export interface Writer {
  person: PersonId
  sentAt: Date
}

/**
 * The people of messages, who are known by the user id first, else by the number, and have written at those times.
 * Their address in conversations stays what they were first known by: the number, which the team can read, else the
 * user id.
 * @param work a transaction that has the connection for itself (`lockConnection`)
 * @returns their ids, in the order of the messages
 */
export async function notePeople(
  work: ProjectWork,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  writers: readonly Writer[],
): Promise<string[]> {
  const [users, phones] = [
    writers.flatMap(({ person }) => person.userId ?? []),
    writers.flatMap(({ person }) => person.phone ?? []),
  ]
  const rows = await work
    .selectFrom('whatsapp_people')
    .select(['id', 'user_id', 'phone', 'name', 'address', 'wrote_at'])
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where(
      sql<boolean>`(user_id = any(${users}::text[]) or phone = any(${phones}::text[])
        or address = any(${[...users, ...phones]}::text[]))`,
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  const people: Known[] = rows.map((row) => ({ ...row, changed: false, opened: false }))
  const ofWriters = writers.map((writer) => noteWriter(people, writer))
  await insertPeople(
    work,
    { id, project_id },
    people.filter((each) => each.id === null),
  )
  await updatePeople(
    work,
    project_id,
    people.filter(({ changed }) => changed),
  )
  return ofWriters.map((each) => each.id ?? '')
}

/** A person while messages are noted; without an id until they are inserted. */
interface Known extends Pick<PersonRow, 'user_id' | 'phone' | 'name' | 'address' | 'wrote_at'> {
  id: string | null
  changed: boolean
  /** they have written since, so the 24 hours begin anew */
  opened: boolean
}

function noteWriter(people: Known[], { person: { userId, phone, name }, sentAt }: Writer): Known {
  // a row of somebody else who had the number before is not theirs
  const byPhone = (each: Known) => phone !== null && each.phone === phone && (userId === null || each.user_id === null)
  const isOthers = people.some((each) => phone !== null && each.address === phone && each.user_id !== null)
  const address = (isOthers ? userId : (phone ?? userId)) ?? ''
  const known =
    people.find((each) => userId !== null && each.user_id === userId) ??
    people.find(byPhone) ??
    people.find((each) => each.address === address)
  if (!known) {
    const added = {
      ...{ id: null, user_id: userId, phone, name, address, wrote_at: sentAt },
      ...{ changed: false, opened: false },
    }
    people.push(added)
    return added
  }
  const opened = sentAt > known.wrote_at
  return Object.assign(known, {
    ...(name !== '' && { name }),
    ...(userId !== null && { user_id: userId }),
    ...(phone !== null && { phone }),
    ...(opened && { wrote_at: sentAt, opened }),
    changed: known.id !== null,
  })
}

async function insertPeople(
  work: ProjectWork,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  people: readonly Known[],
): Promise<void> {
  if (people.length === 0) return
  const { rows } = await sql<{ id: string; address: string }>`
    insert into whatsapp_people (project_id, connection_id, user_id, phone, name, address, wrote_at)
    select ${project_id}, ${id}, * from unnest(
      ${people.map((each) => each.user_id)}::text[], ${people.map((each) => each.phone)}::text[],
      ${people.map((each) => each.name)}::text[], ${people.map((each) => each.address)}::text[],
      ${people.map((each) => each.wrote_at.toISOString())}::timestamptz[])
    returning id, address`.execute(work)
  const ids = new Map(rows.map((row) => [row.address, row.id]))
  for (const each of people) each.id = ids.get(each.address) ?? null
}

async function updatePeople(work: ProjectWork, projectId: string, people: readonly Known[]): Promise<void> {
  if (people.length === 0) return
  await sql`
    update whatsapp_people set user_id = given.user_id, phone = given.phone, name = given.name, wrote_at = given.wrote_at,
      window_closed = window_closed and not given.opened
    from unnest(
      ${people.map((each) => each.id)}::bigint[], ${people.map((each) => each.user_id)}::text[],
      ${people.map((each) => each.phone)}::text[], ${people.map((each) => each.name)}::text[],
      ${people.map((each) => each.wrote_at.toISOString())}::timestamptz[], ${people.map((each) => each.opened)}::boolean[])
      as given (id, user_id, phone, name, wrote_at, opened)
    where whatsapp_people.id = given.id and whatsapp_people.project_id = ${projectId}`.execute(work)
}

/** Until when anything may be sent to them; afterwards templates alone. */
export const windowEnd = ({ wrote_at, window_closed }: PersonRow): Date =>
  window_closed ? wrote_at : new Date(wrote_at.getTime() + WINDOW_HOURS * HOUR)
