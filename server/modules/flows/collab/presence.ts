import {
  type Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from 'y-protocols/awareness'

/**
 * Shares who is in a room with the other processes that have it open. A process that is gone takes its people along.
 */
export interface Presence {
  /** what another process said of its people */
  hear(update: Uint8Array, from: string): void
  /** nothing is heard of that process any more */
  lose(process: string): void
  /** those whose connections are here, for a process that asks; null when there is nobody */
  here(): Uint8Array | null
  /** whether another process has spoken for a client since this one did */
  isElsewhere(client: number): boolean
}

interface Change {
  added: number[]
  updated: number[]
  removed: number[]
}

/** The origin of what another process said. */
class OtherProcess {
  constructor(readonly name: string) {}
}

/** @param tell says it to the other processes */
export function createPresence(awareness: Awareness, tell: (update: Uint8Array) => void): Presence {
  /**
   * The process that spoke last for a client; none: this one. A client that changes its process belongs to the new one.
   */
  const places = new Map<number, string>()

  awareness.on('update', ({ added, updated, removed }: Change, origin: unknown) => {
    const said = [...added, ...updated]
    if (origin instanceof OtherProcess) {
      for (const client of said) places.set(client, origin.name)
    } else {
      for (const client of said) places.delete(client)
      const news = [...said, ...removed.filter((client) => !places.has(client))]
      // what was not heard of for long is forgotten by each process for itself
      if (news.length > 0 && origin !== 'timeout') tell(encodeAwarenessUpdate(awareness, news))
    }
    for (const client of removed) places.delete(client)
  })

  return {
    hear: (update, from) => applyAwarenessUpdate(awareness, update, new OtherProcess(from)),
    lose(process) {
      const lost = [...places].filter(([, place]) => place === process).map(([client]) => client)
      removeAwarenessStates(awareness, lost, new OtherProcess(process))
    },
    here() {
      const clients = [...awareness.getStates().keys()].filter((client) => !places.has(client))
      return clients.length > 0 ? encodeAwarenessUpdate(awareness, clients) : null
    },
    isElsewhere: (client) => places.has(client),
  }
}
