import { EventEmitter } from 'node:events'
import type { Bus } from '../../platform/bus/bus'

/** Tells open pages, in any process, that a project's members have new notifications; they read them themselves. */
export interface LiveNotifications {
  publish(projectId: string): void
  /** The listener is also called when news may have been lost. @returns unsubscribe */
  subscribe(projectId: string, listener: () => unknown): () => void
}

const NOTHING = new Uint8Array()

export function createLiveNotifications(bus: Bus): LiveNotifications {
  const emitter = new EventEmitter()
  emitter.setMaxListeners(0)
  const channelOf = (projectId: string) => `notifications:${projectId}`
  return {
    publish(projectId) {
      emitter.emit(projectId)
      bus.publish(channelOf(projectId), NOTHING)
    },
    subscribe(projectId, listener) {
      emitter.on(projectId, listener)
      const leave = bus.subscribe(channelOf(projectId), { hear: listener, look: listener })
      return () => {
        emitter.off(projectId, listener)
        leave()
      }
    },
  }
}
