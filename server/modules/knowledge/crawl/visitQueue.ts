import type { Visit } from './visitPage'

export interface VisitQueue {
  /** Adds a page that was read. @returns once there is room for more. @throws what writing threw */
  add(visit: Visit): Promise<void>
  /** Waits until everything is written. @throws what writing threw */
  written(): Promise<void>
}

/**
 * Writes visits in batches: those that come while one is written are the next one, so that pages are read meanwhile and
 * a slow database makes larger batches.
 * @param room how many may wait for being written, beside those being written
 */
export function createVisitQueue(write: (batch: readonly Visit[]) => Promise<void>, room: () => number): VisitQueue {
  let waiting: Visit[] = []
  let writing: Promise<void> | null = null
  let failure: { error: unknown } | null = null

  async function next(): Promise<void> {
    const batch = waiting
    waiting = []
    try {
      await write(batch)
    } catch (error) {
      // nobody may wait for this batch: the next one who adds is told
      failure = { error }
    }
    writing = null
    if (waiting.length > 0 && !failure) begin()
  }
  function begin(): void {
    writing = next()
  }
  function check(): void {
    if (failure) throw failure.error
  }

  return {
    async add(visit) {
      check()
      waiting.push(visit)
      if (!writing) begin()
      while (writing && waiting.length > room()) await writing
      check()
    },
    async written() {
      while (writing) await writing
      check()
    },
  }
}
