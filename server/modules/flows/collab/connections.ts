import type { FlowRef } from './store'

/** A served socket, as the rest of the server sees it. */
export interface Connection {
  readonly userId: string
  readonly flow: FlowRef
  /** checks its rights before it handles another frame */
  recheck(): void
  /** forwards news to its client */
  tell(topic: string): void
}

export interface Connections {
  /**
   * Adds a connection, whose rights were read when `rechecks()` was `asOf`: if rights have changed since, it checks
   * them again. @returns a function that removes it
   */
  add(connection: Connection, asOf: number): () => void
  /** number of rechecks so far, whomever they concerned */
  rechecks(): number
  /** number of sockets of a user, and of a flow */
  countOf(userId: string): number
  countIn(flow: FlowRef): number
  /** Makes the sockets concerned check their rights, and close if they have none. */
  recheck(who: { userId: string } | { projectId: string }): void
  /** Notifies the clients of a flow. */
  announce(flow: FlowRef, topic: string): void
}

/** The sockets of this process. */
export function createConnections(): Connections {
  const byUser = new Map<string, Set<Connection>>()
  const byFlow = new Map<string, Set<Connection>>()
  let rechecks = 0
  const keyOf = ({ projectId, id }: FlowRef) => `${projectId}/${id}`

  return {
    add(connection, asOf) {
      const places = [
        [byUser, connection.userId],
        [byFlow, keyOf(connection.flow)],
      ] as const
      for (const [map, key] of places) map.set(key, (map.get(key) ?? new Set()).add(connection))
      if (asOf !== rechecks) connection.recheck()
      return () => {
        for (const [map, key] of places) {
          map.get(key)?.delete(connection)
          if (map.get(key)?.size === 0) map.delete(key)
        }
      }
    },
    rechecks: () => rechecks,
    countOf: (userId) => byUser.get(userId)?.size ?? 0,
    countIn: (flow) => byFlow.get(keyOf(flow))?.size ?? 0,
    recheck(who) {
      rechecks += 1
      const concerned =
        'userId' in who
          ? [...(byUser.get(who.userId) ?? [])]
          : [...byFlow.values()].flatMap((set) => [...set].filter(({ flow }) => flow.projectId === who.projectId))
      for (const connection of concerned) connection.recheck()
    },
    announce(flow, topic) {
      for (const connection of byFlow.get(keyOf(flow)) ?? []) connection.tell(topic)
    },
  }
}
