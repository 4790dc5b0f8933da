import type { FlowRef } from './store'

/** A socket that is served, as far as the rest of the server has to do with it. */
export interface Connection {
  readonly userId: string
  readonly flow: FlowRef
  /** asks its rights again before it takes anything more */
  recheck(): void
  /** passes news on to its client */
  tell(topic: string): void
}

export interface Connections {
  /** @returns what takes it out again */
  add(connection: Connection): () => void
  /** how many sockets of the user, and of the flow, are served now */
  countOf(userId: string): number
  countIn(flow: FlowRef): number
  /** Everybody concerned asks their rights again, and is cut or goes on as they may. */
  recheck(who: { userId: string } | { projectId: string }): void
  /** Tells the clients in a flow that there is news. */
  announce(flow: FlowRef, topic: string): void
}

/** The sockets that this process serves. */
export function createConnections(): Connections {
  const byUser = new Map<string, Set<Connection>>()
  const byFlow = new Map<string, Set<Connection>>()
  const keyOf = ({ projectId, id }: FlowRef) => `${projectId}/${id}`

  return {
    add(connection) {
      const places = [
        [byUser, connection.userId],
        [byFlow, keyOf(connection.flow)],
      ] as const
      for (const [map, key] of places) map.set(key, (map.get(key) ?? new Set()).add(connection))
      return () => {
        for (const [map, key] of places) {
          map.get(key)?.delete(connection)
          if (map.get(key)?.size === 0) map.delete(key)
        }
      }
    },
    countOf: (userId) => byUser.get(userId)?.size ?? 0,
    countIn: (flow) => byFlow.get(keyOf(flow))?.size ?? 0,
    recheck(who) {
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
