import type { Work } from '../database/database'
import type { EventDefinition, EventOf, StoredEvent } from './defineEvent'

/** Handles events of some types in the order of their transactions. */
export interface Consumer {
  /** identifies its cursor: keep it when the code is renamed */
  name: string
  events: readonly EventDefinition[]
  /** of these, only those that a member of the project caused: each turn of a visitor is one, which costs a look */
  byMembers?: readonly EventDefinition[]
  /** where a new consumer starts: at the oldest event, or with future transactions */
  since: 'beginning' | 'now'
  /**
   * Its writes are committed together with its cursor, so each event is handled exactly once, even after crashes. It
   * only writes to the database and must be quick; anything that leaves the server is scheduled as a job in the same
   * transaction. If one of a batch fails, the whole batch is undone and each of its events handled again, alone.
   */
  handle: (work: Work, events: readonly StoredEvent[]) => Promise<unknown>
}

interface ConsumerOf<Definitions extends readonly EventDefinition[]>
  extends Pick<Consumer, 'name' | 'since' | 'byMembers'> {
  events: Definitions
}

/** Defines a consumer; `handle` gets the events of `events` one after the other, typed. */
export function defineConsumer<const Definitions extends readonly EventDefinition[]>({
  handle,
  ...consumer
}: ConsumerOf<Definitions> & {
  handle: (work: Work, event: EventOf<Definitions[number]>) => Promise<unknown>
}): Consumer {
  return defineBatchConsumer<Definitions>({
    ...consumer,
    async handle(work, events) {
      for (const event of events) await handle(work, event)
    },
  })
}

/** The same for one that handles what happened meanwhile in one statement, however many events these are. */
export function defineBatchConsumer<const Definitions extends readonly EventDefinition[]>(
  consumer: ConsumerOf<Definitions> & {
    handle: (work: Work, events: readonly EventOf<Definitions[number]>[]) => Promise<unknown>
  },
): Consumer {
  return consumer as unknown as Consumer
}
