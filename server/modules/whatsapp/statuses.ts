import { type Selectable, sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
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
     * Notes statuses. By what was given with the message it is found also if the answer to its call was lost: then the
     * status says that it was sent.
     */
    async note(
      { id, project_id: projectId }: Pick<ConnectionRow, 'id' | 'project_id'>,
      told: readonly InboundStatus[],
    ): Promise<void> {
      if (told.length === 0) return
      await db
        .forProject(projectId)
        .transaction()
        .execute(async (work) => {
          const sends = await findSends(work, { id, project_id: projectId }, told)
          for (const status of told) {
            const send = sends.find((each) => isOf(status, each))
            if (send) await noteOne(work, sends, send, status)
          }
        })
    },
  }

  /** Notes that a message has come further. @param sends with all parts of those messages */
  async function noteOne(work: ProjectWork, sends: readonly SendRow[], send: SendRow, told: InboundStatus) {
    const { wamid, status, error } = told
    if (RANK[status] <= RANK[send.status]) return
    const words = error ? `${error.words} (WhatsApp ${error.code})` : null
    Object.assign(send, { status, wamid })
    const { project_id: projectId, key } = send
    await work
      .updateTable('whatsapp_sends')
      .set({ status, wamid, error: words, tried_at: clock() })
      .where('id', '=', send.id)
      .where('project_id', '=', projectId)
      .execute()
    const parts = sends.filter((each) => each.key === key).map((each) => each.status)
    const state = stateOf(parts, words)
    if (state) await noteDelivery(work, { projectId, key, at: clock() }, state)
    if (error && actionOf(error.code) === 'window')
      await work
        .updateTable('whatsapp_people')
        .set({ window_closed: true })
        .where('id', '=', send.person_id)
        .where('project_id', '=', projectId)
        .execute()
  }
}

type SendRow = Pick<
  Selectable<WhatsappSendsTable>,
  'id' | 'project_id' | 'person_id' | 'key' | 'part' | 'status' | 'wamid'
>

/** Which part of which delivery a status is of, as was given with the message; else none. */
function placeOf({ callbackData }: InboundStatus): { key: string; part: number } | null {
  const at = callbackData?.lastIndexOf('#') ?? -1
  if (!callbackData || at <= 0) return null
  const part = Number(callbackData.slice(at + 1))
  return Number.isSafeInteger(part) ? { key: callbackData.slice(0, at), part } : null
}

function isOf(status: InboundStatus, { wamid, key, part }: SendRow): boolean {
  const place = placeOf(status)
  return wamid === status.wamid || (place !== null && place.key === key && place.part === part)
}

/** The messages that statuses are of, with all parts of each, locked: always in one order. */
function findSends(
  work: ProjectWork,
  { id, project_id }: Pick<ConnectionRow, 'id' | 'project_id'>,
  told: readonly InboundStatus[],
): Promise<SendRow[]> {
  const wamids = told.map(({ wamid }) => wamid)
  const keys = told.flatMap((status) => placeOf(status)?.key ?? [])
  return work
    .selectFrom('whatsapp_sends')
    .select(['id', 'project_id', 'person_id', 'key', 'part', 'status', 'wamid'])
    .where('project_id', '=', project_id)
    .where('connection_id', '=', id)
    .where(
      sql<boolean>`key in (
        select unnest(${keys}::text[]) union
        select known.key from whatsapp_sends as known
          where known.project_id = ${project_id} and known.connection_id = ${id} and known.wamid = any(${wamids}::text[]))`,
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

export type Statuses = ReturnType<typeof createStatuses>
