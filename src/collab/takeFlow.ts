import type { Person } from '../../engine/document/person'
import type { Registry } from '../../engine/flow/registry'
import type { OfflineOptions } from './offline'
import { openFlow } from './openFlow'
import { openFlows } from './openFlows'

/** A flow of a chatbot to open, by the room that the server gave. */
export interface FlowRoom {
  room: string
  /** whether it may only be read at first; the connection tells what changes about that */
  readOnly: boolean
}

/**
 * Takes a room's flow from those that this tab has open, or opens it. Give it back when it is no longer shown.
 *
 * An account has a room open once, whatever its rights are: after an outage they are read again by HTTP and by the
 * socket. A second flow for the new rights would replace the one that holds the unsent edits, and hide them.
 * @param open for tests
 */
export function takeFlow(
  options: FlowRoom & {
    registry: Registry
    person: Pick<Person, 'id' | 'name' | 'color'> | undefined
    keep: OfflineOptions
  },
  flows: Pick<typeof openFlows, 'take'> = openFlows,
  open = openFlow,
): ReturnType<typeof openFlows.take> {
  const { room, readOnly, registry, person, keep } = options
  const known = person && { ...person, viewer: readOnly }
  return flows.take(`${keep.user}/${room}`, () => open({ room, readOnly, registry, person: known, keep }))
}
