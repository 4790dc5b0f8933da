import type { ServerContext } from '../../platform/context'
import { type DeliveryState, noteDelivery } from '../conversations/channels/noteDelivery'
import type { ConnectionRow } from './connections'
import { actionOf } from './graphError'
import type { InboundStatus } from './readWebhook'
import type { WhatsappSendsTable } from './tables'

type Status = WhatsappSendsTable['status']
/** How far a message has come: told in any order, it only goes forward. */
const RANK: Readonly<Record<Status, number>> = { trying: 0, accepted: 1, sent: 2, delivered: 3, read: 4, failed: 5 }

/** What goes with a message, and comes back with its statuses: which part of which delivery it is. */
export const callbackDataOf = (key: string, part: number): string => `${key}#${part}`

/** Of a message that goes in several parts: given up when one did not arrive, else as far as the last one has come. */
function stateOf(parts: readonly Status[], words: string | null): DeliveryState | null {
  if (parts.includes('failed')) return { status: 'dead', error: words ?? 'It did not arrive.' }
  const least = Math.min(...parts.map((status) => RANK[status]))
  if (least < RANK.delivered) return null
  return { reached: least === RANK.read ? 'read' : 'delivered' }
}

/** What becomes of messages that were sent. */
export function createStatuses({ db, clock }: Pick<ServerContext, 'db' | 'clock'>) {
  return {
    /**
     * Notes a status. By what was given with the message it is found also if the answer to its call was lost: then the
     * status says that it was sent.
     */
    async note(connection: ConnectionRow, { wamid, status, callbackData, error }: InboundStatus): Promise<void> {
      const own = db.forProject(connection.project_id)
      const at = callbackData?.lastIndexOf('#') ?? -1
      const [key, part] =
        at > 0 && callbackData ? [callbackData.slice(0, at), Number(callbackData.slice(at + 1))] : ['', 0]
      const row = await own
        .selectFrom('whatsapp_sends')
        .selectAll()
        .where('project_id', '=', connection.project_id)
        .where('connection_id', '=', connection.id)
        .where((eb) => eb.or([eb('wamid', '=', wamid), eb.and([eb('key', '=', key), eb('part', '=', part)])]))
        .limit(1)
        .executeTakeFirst()
      if (!row || RANK[status] <= RANK[row.status]) return
      const words = error ? `${error.words} (WhatsApp ${error.code})` : null
      await own.transaction().execute(async (work) => {
        await work
          .updateTable('whatsapp_sends')
          .set({ status, wamid, error: words, tried_at: clock() })
          .where('id', '=', row.id)
          .where('project_id', '=', connection.project_id)
          .execute()
        const parts = await work
          .selectFrom('whatsapp_sends')
          .select('status')
          .where('connection_id', '=', connection.id)
          .where('project_id', '=', connection.project_id)
          .where('key', '=', row.key)
          .execute()
        const state = stateOf(
          parts.map((each) => each.status),
          words,
        )
        const at = { projectId: connection.project_id, key: row.key, at: clock() }
        if (state) await noteDelivery(work, at, state)
      })
      if (error && actionOf(error.code) === 'window')
        await own
          .updateTable('whatsapp_people')
          .set({ window_closed: true })
          .where('id', '=', row.person_id)
          .where('project_id', '=', connection.project_id)
          .execute()
    },
  }
}
export type Statuses = ReturnType<typeof createStatuses>
