import { type Selectable, sql } from 'kysely'
import type { ServerContext } from '../../platform/context'
import type { ProjectWork } from '../../platform/database/database'
import { type DeliveryNote, type DeliveryState, noteDeliveries } from '../conversations/channels/noteDelivery'
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
          const changed = new Set<SendRow>()
          const notes: DeliveryNote[] = []
          for (const status of told) {
            const send = sends.find((each) => isOf(status, each))
            if (!send || RANK[status.status] <= RANK[send.status]) continue
            const { error } = status
            const words = error ? `${error.words} (WhatsApp ${error.code})` : null
            Object.assign(send, { status: status.status, wamid: status.wamid, error: words })
            if (error && actionOf(error.code) === 'window') send.closesWindow = true
            changed.add(send)
            const parts = sends.filter(({ key }) => key === send.key).map((each) => each.status)
            const state = stateOf(parts, words)
            if (state) notes.push({ key: send.key, state })
          }
          await save(work, projectId, [...changed])
          await noteDeliveries(work, { projectId, at: clock() }, notes)
        })
    },
  }

  async function save(work: ProjectWork, projectId: string, sends: readonly SendRow[]): Promise<void> {
    if (sends.length === 0) return
    await sql`
      update whatsapp_sends set status = given.status, wamid = given.wamid, error = given.error, tried_at = ${clock()}
      from unnest(
        ${sends.map(({ id }) => id)}::bigint[], ${sends.map(({ status }) => status)}::text[],
        ${sends.map(({ wamid }) => wamid)}::text[], ${sends.map(({ error }) => error)}::text[]
      ) as given (id, status, wamid, error)
      where whatsapp_sends.id = given.id and whatsapp_sends.project_id = ${projectId}`.execute(work)
    const closed = sends.filter(({ closesWindow }) => closesWindow).map(({ person_id }) => person_id)
    if (closed.length === 0) return
    await work
      .updateTable('whatsapp_people')
      .set({ window_closed: true })
      .where('id', 'in', closed)
      .where('project_id', '=', projectId)
      .execute()
  }
}

type SendRow = Pick<
  Selectable<WhatsappSendsTable>,
  'id' | 'project_id' | 'person_id' | 'key' | 'part' | 'status' | 'wamid' | 'error'
> & { closesWindow?: true }

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
    .select(['id', 'project_id', 'person_id', 'key', 'part', 'status', 'wamid', 'error'])
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
