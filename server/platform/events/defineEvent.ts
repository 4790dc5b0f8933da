import type { Insertable, QueryCreator } from 'kysely'
import type { z } from 'zod'
import { cleanText } from '../../../engine/values/cleanText'
import type { Json } from '../../../engine/values/json'
import type { Work } from '../database/database'
import type { Database } from '../database/tables'
import type { EventsTable } from './tables'

/** A type of event in a project, as modules define it: `contact.created`, `flow.published`. */
export interface EventDefinition<Type extends string = string, Payload = unknown> {
  type: Type
  payload: z.ZodType<Payload>
  /**
   * From each version's payload to the next; their number is the present version. Stored events are never rewritten.
   */
  migrations: readonly ((payload: Json) => Json)[]
}

/** Who caused it. An API key acts for its member. */
export type Actor = { actor: 'user'; userId: string } | { actor: 'visitor' | 'bot' | 'system' }

/** The account that caused it, if any. */
export const userOf = ({ by }: { by: Actor }): string | null => (by.actor === 'user' ? by.userId : null)

/** The fields of every event besides its payload. */
export interface EventContext {
  projectId: string
  by: Actor
  /** The id of the call, turn or job: the same for all events that it caused. */
  correlation: string
  at: Date
  /** where the member's call came from, as text; absent: it was no call */
  address?: string
}

/** An event as consumers receive it. */
export interface StoredEvent<Type extends string = string, Payload = unknown> extends EventContext {
  id: string
  type: Type
  payload: Payload
}

export type EventOf<Definition> =
  Definition extends EventDefinition<infer Type, infer Payload> ? StoredEvent<Type, Payload> : never

/**
 * Defines a type of event. Its payload holds what consumers need later, when the row may have changed: ids and
 * decisions, no secrets, no unbounded texts.
 * @param type `subject.pastParticiple`, unique among modules
 */
export function defineEvent<const Type extends string, Payload>(
  type: Type,
  payload: z.ZodType<Payload>,
  migrations: EventDefinition['migrations'] = [],
): EventDefinition<Type, Payload> {
  return { type, payload, migrations }
}

/**
 * Writes an event in the transaction of its command: both are committed, or neither. Call `consumers.wake` after the
 * commit.
 * @throws ZodError for an invalid payload, which is a bug of the caller
 */
export async function appendEvent<Type extends string, Payload>(
  work: Work,
  definition: EventDefinition<Type, Payload>,
  context: EventContext,
  payload: NoInfer<Payload>,
): Promise<void> {
  await insertEvents(work, [eventRow(definition, context, payload)]).execute()
}

/** An event as a row, for inserting several or as part of another statement. @throws ZodError as `appendEvent` */
export const eventRow = <Type extends string, Payload>(
  definition: EventDefinition<Type, Payload>,
  { projectId, by, correlation, at, address }: EventContext,
  payload: NoInfer<Payload>,
): NewEvent => ({
  project_id: projectId,
  type: definition.type,
  version: definition.migrations.length,
  actor: by.actor,
  user_id: userOf({ by }),
  correlation,
  address: address ?? null,
  payload: JSON.stringify(definition.payload.parse(payload), storable),
  at,
})
/** Texts in the form that JSON columns accept: text columns accept more. */
const storable = (_: string, value: unknown) => (typeof value === 'string' ? cleanText(value) : value)

export type NewEvent = Insertable<EventsTable>

/** The statement that inserts one or more events. */
export const insertEvents = (on: Pick<QueryCreator<Database>, 'insertInto'>, rows: readonly NewEvent[]) =>
  on.insertInto('events').values(rows)

/**
 * Migrates a row's payload to the present version.
 * @throws ZodError if the result is invalid
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

type EventRow = Omit<EventsTable, 'id' | 'epoch' | 'tx' | 'payload' | 'address'> & { id: string; payload: Json }
