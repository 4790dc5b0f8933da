import { frames, once } from './frames'
import { createPresenceFilter } from './presenceFilter'
import type { Member, Room } from './room'

interface AwarenessChange {
  added: number[]
  updated: number[]
  removed: number[]
}

/** Shared by the sockets of a room: who is present, and frames for all that are encoded once. */
export interface EditSession {
  readonly presence: ReturnType<typeof createPresenceFilter>
  /** the present client ids */
  present(): number[]
  updateFrame(update: Uint8Array): Uint8Array
  /** Subscribes `send` to the others' presence; returns unsubscribe. */
  enter(member: Member, send: (frame: Uint8Array) => void): () => void
}

const sessions = new WeakMap<Room, EditSession>()

export function editSessionOf(room: Room): EditSession {
  const session = sessions.get(room) ?? createEditSession(room)
  sessions.set(room, session)
  return session
}

function createEditSession({ awareness, presence }: Room): EditSession {
  const inside = new Map<Member, (frame: Uint8Array) => void>()
  awareness.on('update', ({ added, updated, removed }: AwarenessChange, origin: unknown) => {
    if (inside.size === 0) return
    const frame = frames.presence(awareness, [...added, ...updated, ...removed])
    // no echo: the sender may have sent something newer since
    for (const [member, send] of inside) if (member !== origin) send(frame)
  })
  return {
    presence: createPresenceFilter(awareness, Date.now, presence.isElsewhere),
    present: () => [...awareness.getStates().keys()],
    updateFrame: once(frames.update),
    enter(member, send) {
      inside.set(member, send)
      return () => inside.delete(member)
    },
  }
}
