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
  /** WhatsApp says it of them, and they have written nothing: no 24 hours begin */
  told?: boolean
  /** the number that they have from then on, as WhatsApp says */
  movedTo?: string | null
}

/**
 * The people of messages, who are known by the user id first, else by the number, and have written at those times.
 * Their address in conversations stays what they were first known by: the number, which the team can read, else the
 * user id. Who has another number now is known by it from then on; who writes from the old one after that is somebody
 * else.
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
    .select(['id', 'user_id', 'phone', 'name', 'address', 'wrote_at', 'moved_at'])
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where(
      sql<boolean>`(user_id = any(${users}::text[]) or phone = any(${phones}::text[])
        or address = any(${[...users, ...phones, ...phones.map(laterOwner)]}::text[]))`,
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
interface Known extends Pick<PersonRow, 'user_id' | 'phone' | 'name' | 'address' | 'wrote_at' | 'moved_at'> {
  id: string | null
  changed: boolean
  /** they have written since, so the 24 hours begin anew */
  opened: boolean
}

/** How somebody is addressed who has a number by which another person was first known. */
const laterOwner = (phone: string): string => `+${phone}`

function noteWriter(people: Known[], writer: Writer): Known {
  const { sentAt, told = false, movedTo = null } = writer
  const known = findWriter(people, writer) ?? addWriter(people, writer)
  const { userId, phone, name } = writer.person
  const isLate = known.moved_at !== null && sentAt <= known.moved_at
  const opened = !told && sentAt > known.wrote_at
  Object.assign(known, {
    ...(name !== '' && { name }),
    // a message of before must not bring the old number back
    ...(userId !== null && !isLate && { user_id: userId }),
    ...(phone !== null && !isLate && { phone }),
    ...(opened && { wrote_at: sentAt, opened }),
    // they have another user id with it
    ...(movedTo !== null && !isLate && { phone: movedTo, user_id: null, moved_at: sentAt }),
    changed: known.id !== null,
  })
  return known
}

function findWriter(people: readonly Known[], { person: { userId, phone }, sentAt }: Writer): Known | undefined {
  // a row of somebody else who had the number before is not theirs
  const byPhone = people.filter(
    (each) => phone !== null && each.phone === phone && (userId === null || each.user_id === null),
  )
  const isLeft = ({ moved_at }: Known) => moved_at !== null && sentAt > moved_at
  return (
    people.find((each) => userId !== null && each.user_id === userId) ??
    // who has moved to it has it now, whoever was known by it before
    byPhone.find(({ moved_at }) => moved_at !== null) ??
    byPhone[0] ??
    people.find((each) => each.address === addressFor(people, { userId, phone }) && !isLeft(each)) ??
    people.find((each) => phone !== null && each.address === laterOwner(phone))
  )
}

function addressFor(people: readonly Known[], { userId, phone }: Pick<PersonId, 'userId' | 'phone'>): string {
  const isOthers = people.some((each) => phone !== null && each.address === phone && each.user_id !== null)
  return (isOthers ? userId : (phone ?? userId)) ?? ''
}

function addWriter(people: Known[], { person: { userId, phone, name }, sentAt, told = false }: Writer): Known {
  const address = addressFor(people, { userId, phone })
  const isTaken = phone !== null && people.some((each) => each.address === address)
  const added = {
    ...{ id: null, user_id: userId, phone, name, address: isTaken ? laterOwner(phone) : address },
    // nothing may be sent to whom WhatsApp has only told of
    ...{ wrote_at: told ? new Date(0) : sentAt, moved_at: null, changed: false, opened: false },
  }
  people.push(added)
  return added
}

async function insertPeople(
  work: ProjectWork,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  people: readonly Known[],
): Promise<void> {
  if (people.length === 0) return
  const { rows } = await sql<{ id: string; address: string }>`
    insert into whatsapp_people (project_id, connection_id, user_id, phone, name, address, wrote_at, moved_at)
    select ${project_id}, ${id}, * from unnest(
      ${people.map((each) => each.user_id)}::text[], ${people.map((each) => each.phone)}::text[],
      ${people.map((each) => each.name)}::text[], ${people.map((each) => each.address)}::text[],
      ${people.map((each) => each.wrote_at.toISOString())}::timestamptz[],
      ${people.map((each) => each.moved_at?.toISOString() ?? null)}::timestamptz[])
    returning id, address`.execute(work)
  const ids = new Map(rows.map((row) => [row.address, row.id]))
  for (const each of people) each.id = ids.get(each.address) ?? null
}

async function updatePeople(work: ProjectWork, projectId: string, people: readonly Known[]): Promise<void> {
  if (people.length === 0) return
  await sql`
    update whatsapp_people set user_id = given.user_id, phone = given.phone, name = given.name, wrote_at = given.wrote_at,
      moved_at = given.moved_at, window_closed = window_closed and not given.opened
    from unnest(
      ${people.map((each) => each.id)}::bigint[], ${people.map((each) => each.user_id)}::text[],
      ${people.map((each) => each.phone)}::text[], ${people.map((each) => each.name)}::text[],
      ${people.map((each) => each.wrote_at.toISOString())}::timestamptz[],
      ${people.map((each) => each.moved_at?.toISOString() ?? null)}::timestamptz[],
      ${people.map((each) => each.opened)}::boolean[])
      as given (id, user_id, phone, name, wrote_at, moved_at, opened)
    where whatsapp_people.id = given.id and whatsapp_people.project_id = ${projectId}`.execute(work)
}

/** Until when anything may be sent to them; afterwards templates alone. */
export const windowEnd = ({ wrote_at, window_closed }: PersonRow): Date =>
  window_closed ? wrote_at : new Date(wrote_at.getTime() + WINDOW_HOURS * HOUR)
