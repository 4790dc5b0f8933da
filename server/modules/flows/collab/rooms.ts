import type { Repair } from '../../../../engine/document/repairDocument'
import { ApiError } from '../../../platform/errors'
import { openRoom, type Room, type RoomContext } from './room'
import type { FlowRef } from './store'

export interface Rooms {
  /** the flow's room, loaded if necessary; call `leave` when done */
  enter(flow: FlowRef): Promise<{ room: Room; leave: () => void }>
  /** the room, if it is open */
  present(flow: FlowRef): Promise<Room> | undefined
  /** closes all after storing everything; then nobody can enter */
  close(): Promise<void>
}

interface Entry {
  room: Promise<Room>
  inside: number
  timer?: NodeJS.Timeout
}

/**
 * One room per flow, kept while somebody is in it and a little longer: a page reload should not load the document
 * again.
 */
export function createRooms(
  context: RoomContext,
  idleMs = 30_000,
  onRepaired: (flow: FlowRef, repairs: readonly Repair[]) => void = () => {},
): Rooms {
  const entries = new Map<string, Entry>()
  const keyOf = (flow: FlowRef) => `${flow.projectId}/${flow.id}`
  let closed = false

  function open(flow: FlowRef) {
    const key = keyOf(flow)
    const present = entries.get(key)
    if (present) return present
    const forget = () => {
      if (entries.get(key) === entry) entries.delete(key)
    }
    const entry: Entry = { room: openRoom(context, flow, forget, (repairs) => onRepaired(flow, repairs)), inside: 0 }
    entry.room.catch(forget)
    entries.set(key, entry)
    return entry
  }

  function evictLater(entry: Entry) {
    entry.timer = setTimeout(() => void evict(entry), idleMs).unref()
  }

  async function evict(entry: Entry) {
    const isEmpty = () => entry.inside === 0
    const room = await entry.room.catch(() => null)
    if (!room || !isEmpty() || closed) return
    const retired = await room.retire(isEmpty)
    if (!retired && isEmpty()) evictLater(entry)
  }

  return {
    async enter(flow) {
      if (closed) throw new ApiError('unavailable', { message: 'The server is stopping.' })
      const entry = open(flow)
      entry.inside += 1
      clearTimeout(entry.timer)
      let inside = true
      const leave = () => {
        if (!inside) return
        inside = false
        entry.inside -= 1
        if (entry.inside === 0) evictLater(entry)
      }
      try {
        return { room: await entry.room, leave }
      } catch (error) {
        leave()
        throw error
      }
    },
    present: (flow) => entries.get(keyOf(flow))?.room,
    async close() {
      closed = true
      const rooms = [...entries.values()]
      for (const entry of rooms) clearTimeout(entry.timer)
      await Promise.allSettled(rooms.map(async (entry) => (await entry.room).close()))
    },
  }
}
