import {
  type Awareness,
  applyAwarenessUpdate,
  encodeAwarenessUpdate,
  removeAwarenessStates,
} from 'y-protocols/awareness'

/** Shares a room's presence with other processes that have it open. The people of a lost process are removed. */
export interface Presence {
  /** presence of another process's people */
  hear(update: Uint8Array, from: string): void
  /** that process is lost */
  lose(process: string): void
  /** the people connected here, for a process that asks; null if there are none */
  here(): Uint8Array | null
  /** whether another process has sent presence of a client since this one did */
  isElsewhere(client: number): boolean
}

interface Change {
  added: number[]
  updated: number[]
  removed: number[]
}

/** The transaction origin of other processes' presence. */
class OtherProcess {
  constructor(readonly name: string) {}
}

/** @param tell sends to the other processes */
export function createPresence(awareness: Awareness, tell: (update: Uint8Array) => void): Presence {
  /**
   * The process that last sent a client's presence; absent: this one. A client that reconnects elsewhere belongs to the
   * new process.
   */
  const places = new Map<number, string>()

  awareness.on('update', ({ added, updated, removed }: Change, origin: unknown) => {
    const said = [...added, ...updated]
    if (origin instanceof OtherProcess) {
      for (const client of said) places.set(client, origin.name)
    } else {
      for (const client of said) places.delete(client)
      const news = [...said, ...removed.filter((client) => !places.has(client))]
      // each process times out silent clients on its own
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
