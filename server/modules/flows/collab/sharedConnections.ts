import { z } from 'zod'
import type { Bus } from '../../../platform/bus/bus'
import type { Connections } from './connections'

const CHANNEL = 'connections'
const message = z.union([
  z.strictObject({
    recheck: z.union([z.strictObject({ userId: z.string() }), z.strictObject({ projectId: z.string() })]),
  }),
  z.strictObject({ flow: z.strictObject({ id: z.string(), projectId: z.string() }), topic: z.string() }),
])

/**
 * Connections whose rechecks and announcements also reach the other processes. A lost recheck takes effect within a
 * second for writers and 15 seconds for readers, when rights are read again.
 * @param bus requested with the first connection or message
 */
export function shareConnections(own: Connections, bus: () => Bus): Connections {
  let isListening = false
  const tell = (content: z.infer<typeof message>) => bus().publish(CHANNEL, Buffer.from(JSON.stringify(content)))

  function listen() {
    if (isListening) return
    isListening = true
    bus().subscribe(CHANNEL, {
      hear(bytes) {
        const said = message.parse(JSON.parse(Buffer.from(bytes).toString()))
        if ('recheck' in said) own.recheck(said.recheck)
        else own.announce(said.flow, said.topic)
      },
      look() {},
    })
  }

  return {
    ...own,
    add(connection, asOf) {
      listen()
      return own.add(connection, asOf)
    },
    recheck(who) {
      own.recheck(who)
      tell({ recheck: who })
    },
    announce({ id, projectId }, topic) {
      own.announce({ id, projectId }, topic)
      tell({ flow: { id, projectId }, topic })
    },
  }
}
