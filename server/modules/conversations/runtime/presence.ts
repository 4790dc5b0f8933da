import { EventEmitter } from 'node:events'
import type { Presence } from '../../../contracts/inbox'
import type { Bus } from '../../../platform/bus/bus'

/**
 * Tells who looks at conversations of a project, and who writes in them, in any process. Nothing is stored: who does
 * not say it again is taken to have left.
 */
export interface ProjectPresence {
  show(projectId: string, presence: Presence): void
  /** @returns unsubscribe */
  subscribe(projectId: string, listener: (presence: Presence) => void): () => void
}

const channelOf = (projectId: string) => `presence:${projectId}`

/** One subscription of the bus a project, however many listen. */
export function createPresence(bus: Bus): ProjectPresence {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const leaving = new Map<string, () => void>()
  return {
    show(projectId, presence) {
      emitter.emit(projectId, presence)
      bus.publish(channelOf(projectId), Buffer.from(JSON.stringify(presence)))
    },
    subscribe(projectId, listener) {
      if (!leaving.has(projectId)) {
        const hear = (message: Uint8Array) => void emitter.emit(projectId, JSON.parse(Buffer.from(message).toString()))
        leaving.set(projectId, bus.subscribe(channelOf(projectId), { hear, look() {} }))
      }
      emitter.on(projectId, listener)
      return () => {
        emitter.off(projectId, listener)
        if (emitter.listenerCount(projectId) > 0) return
        leaving.get(projectId)?.()
        leaving.delete(projectId)
      }
    },
  }
}
