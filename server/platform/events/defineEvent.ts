import type { Insertable, QueryCreator } from 'kysely'
import type { z } from 'zod'
import { cleanText } from '../../../engine/values/cleanText'
import type { Json } from '../../../engine/values/json'
import type { Work } from '../database/database'
import type { Database } from '../database/tables'
import type { EventsTable } from './tables'

/** Something that happened in a project, as modules define it: `contact.created`, `flow.published`. */
export interface EventDefinition<Type extends string = string, Payload = unknown> {
  type: Type
  payload: z.ZodType<Payload>
  /** From each version's payload to the next; their count is the present version. Stored events are never rewritten. */
  migrations: readonly ((payload: Json) => Json)[]
}

/** Who did it. An API key acts for the member whose it is. */
export type Actor = { actor: 'user'; userId: string } | { actor: 'visitor' | 'bot' | 'system' }

/** The account that did it, if one did. */
export const userOf = ({ by }: { by: Actor }): string | null => (by.actor === 'user' ? by.userId : null)

/** What every event says beside its payload. */
export interface EventContext {
  projectId: string
  by: Actor
  /** The id of the call, turn or job that it belongs to: events of one have the same. */
  correlation: string
  at: Date
}

/** An event as consumers get it. */
export interface StoredEvent<Type extends string = string, Payload = unknown> extends EventContext {
  id: string
  type: Type
  payload: Payload
}

export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Payload> ? StoredEvent<Type, Payload> : never

/**
 * Defines a kind of event. Its payload holds what consumers need to know later, when the row it is about may have changed: ids and what
 * was decided, no secrets, no texts without a bound.
 * @param type `subject.pastParticiple`, in one module alone
 */
export function defineEvent<const Type extends string, Payload>(
  type: Type,
  payload: z.ZodType<Payload>,
  migrations: EventDefinition['migrations'] = [],
): EventDefinition<Type, Payload> {
  return { type, payload, migrations }
}

/**
 * Writes an event in the transaction of the command that it tells of: both are there, or neither. Call `consumers.wake` after the commit.
 * @throws ZodError for a payload that is not what the definition says: a fault of the caller's
 */
export async function appendEvent<Type extends string, Payload>(
  work: Work,
  definition: EventDefinition<Type, Payload>,
  context: EventContext,
  payload: NoInfer<Payload>,
): Promise<void> {
  await insertEvents(work, [eventRow(definition, context, payload)]).execute()
}

/** An event as a row, for who writes it with others or as a part of another statement. @throws ZodError as `appendEvent` */
export const eventRow = <Type extends string, Payload>(
  definition: EventDefinition<Type, Payload>,
  { projectId, by, correlation, at }: EventContext,
  payload: NoInfer<Payload>,
): NewEvent => ({
  project_id: projectId,
  type: definition.type,
  version: definition.migrations.length,
  actor: by.actor,
  user_id: userOf({ by }),
  correlation,
  payload: JSON.stringify(definition.payload.parse(payload), storable),
  at,
})
/** Texts as the row has them that the event tells of: columns of text take what those of JSON refuse. */
const storable = (_: string, value: unknown) => (typeof value === 'string' ? cleanText(value) : value)

export type NewEvent = Insertable<EventsTable>

/** The statement that writes events, one at least. */
export const insertEvents = (on: Pick<QueryCreator<Database>, 'insertInto'>, rows: readonly NewEvent[]) =>
  on.insertInto('events').values(rows)

/**
 * A row as its definition's present version says.
 * @throws ZodError for a payload that its migrations do not bring to it
 */
export function readEvent(definition: EventDefinition, row: EventRow): StoredEvent {
  const payload = definition.migrations.slice(row.version).reduce((older, next) => next(older), row.payload)
  return {
    id: row.id,
    type: row.type,
    payload: definition.payload.parse(payload),
    projectId: row.project_id,
    by: row.actor === 'user' ? { actor: 'user', userId: row.user_id ?? '' } : { actor: row.actor },
    correlation: row.correlation,
    at: row.at,
  }
}

type EventRow = Omit<EventsTable, 'id' | 'epoch' | 'tx' | 'payload'> & { id: string; payload: Json }
