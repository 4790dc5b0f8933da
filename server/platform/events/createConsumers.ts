import { setTimeout as pause } from 'node:timers/promises'
import type { ServerContext } from '../context'
import { createCursors } from './cursors'
import type { Consumer } from './defineConsumer'
import { createEventTaking } from './takeEvents'

export interface Consumers {
  /**
   * Starts looking for events: at once after each commit of this process that a consumer waits for, and every few
   * seconds.
   */
  start(): void
  /** Handles all pending events, including failures that are due. @returns how many */
  runDue(): Promise<number>
  /** Handles all events since then again, as far back as partitions exist. @throws for an unknown name */
  replay(consumer: string, since: Date): Promise<void>
  /** Resolves when the current batch has ended. */
  close(): Promise<void>
}

/** For what another process wrote and did not handle, and for failures that are due. */
const LOOK_EVERY = 5_000
/**
 * The least time between two looks, however many commits there are: the first comes at once. A look takes as many
 * statements as two turns, and nobody waits for what it does: people see messages without it.
 */
const LOOK_AGAIN = 500
/** The wait for transactions that overlap with those of events, where a caller waits for all events. */
const OVERLAP = 150

/** The consumers of an installation in one process. Several processes share the work: one at a time per consumer. */
export function createConsumers(
  { db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  consumers: readonly Consumer[],
): Consumers {
  let state: 'idle' | 'started' | 'closed' = 'idle'
  let looking: Promise<void> | null = null
  /** the consumers that the next look includes */
  const due = new Set<Consumer>()
  /** whether the next look includes failures: they come due by time, not by commits */
  let retryDue = false
  let rest: NodeJS.Timeout | null = null
  let poll: NodeJS.Timeout | undefined
  let unsubscribe = () => {}
  const { register, moveBack } = createCursors({ db, clock }, consumers)
  const { takeBatch, takeFailure } = createEventTaking({ db, clock, log })

  for (const [at, { name }] of consumers.entries())
    if (consumers.findIndex((other) => other.name === name) !== at)
      throw new Error(`Two consumers of events are called '${name}'.`)

  /**
   * @param retry whether failures that are due are tried again
   * @returns the consumers that may have events in running transactions
   */
  async function take(those: readonly Consumer[], retry: boolean): Promise<Consumer[]> {
    await register()
    const hidden = new Set<Consumer>()
    for (const consumer of those) {
      for (let left = true; left && state === 'started'; ) {
        const batch = await takeBatch(consumer)
        left = batch.left
        if (batch.hidden) hidden.add(consumer)
      }
      while (retry && state === 'started' && (await takeFailure(consumer)));
    }
    return [...hidden]
  }

  /** Looks one at a time, with a pause after each; consumers added meanwhile are included in the next look. */
  function look(those: readonly Consumer[]): void {
    for (const consumer of those) due.add(consumer)
    if (looking || rest || due.size === 0) return
    const now = [...due]
    const retry = retryDue
    due.clear()
    retryDue = false
    looking = take(now, retry)
      .catch((error) => {
        log.error({ err: error }, 'events could not be read')
        return []
      })
      .then((hidden) => {
        looking = null
        for (const consumer of hidden) due.add(consumer)
        if (state !== 'started') return
        rest = setTimeout(() => {
          rest = null
          look([])
        }, LOOK_AGAIN)
      })
  }

  return {
    start() {
      if (state !== 'idle') return
      state = 'started'
      // the statement's parameters name the types of its events
      unsubscribe = db.afterInsert('events', (parameters) =>
        look(consumers.filter((consumer) => mayWant(consumer, parameters))),
      )
      const lookAtAll = () => {
        retryDue = true
        look(consumers)
      }
      poll = setInterval(lookAtAll, LOOK_EVERY)
      lookAtAll()
    },

    async runDue() {
      await register()
      let count = 0
      for (let again = true; again; ) {
        await looking
        again = false
        for (const consumer of consumers) {
          const { handled, left, hidden } = await takeBatch(consumer)
          count += handled
          again ||= left || hidden || handled > 0
          if (hidden && handled === 0) await pause(OVERLAP)
          while (await takeFailure(consumer)) count++
        }
      }
      return count
    },

    async replay(name, since) {
      await register()
      await moveBack(name, since)
      look(consumers.filter((consumer) => consumer.name === name))
    },

    async close() {
      state = 'closed'
      unsubscribe()
      clearInterval(poll)
      if (rest) clearTimeout(rest)
      await looking
    },
  }
}

/** Whether a statement with these parameters may have written an event that the consumer wants. */
const mayWant = ({ events, byMembers = [] }: Consumer, parameters: readonly unknown[]): boolean =>
  events.some((event) => parameters.includes(event.type) && (!byMembers.includes(event) || parameters.includes('user')))
