import type { ServerContext } from '../../platform/context'
import { isSubscribed, type NumberInfo, readNumber, readTier } from './connect'
import { type ConnectionRow, type Connections, NOT_HEARD } from './connections'
import { AnswerLost, type Graph } from './graph'
import { GraphError } from './graphError'

/** What WhatsApp says of a connected number, and whether it sends here what people write. */
export interface NumberState {
  info: NumberInfo
  hears: boolean
  tier: string
}

/** How often a number is looked at by itself: its quality and limit change by how people take what it sends. */
export const LOOK_EVERY = 6 * 60 * 60_000
/** Numbers of one round. */
const AT_ONCE = 500

/** Asks WhatsApp how numbers are, in both directions, and notes what it says. */
export function createCheckNumber(
  { db, clock, log }: Pick<ServerContext, 'db' | 'clock' | 'log'>,
  { connections, graph }: { connections: Connections; graph: Graph },
) {
  /** @throws GraphError, AnswerLost */
  const ask = async (row: ConnectionRow, token: string): Promise<NumberState> => ({
    info: await readNumber(graph, token, row.number_id),
    hears: await isSubscribed(graph, token, row.business_id, row.app_id),
    tier: await readTier(graph, token, row.business_id, row.number_id),
  })

  async function note({ id, project_id }: ConnectionRow, { info, hears, tier }: NumberState): Promise<void> {
    const said = {
      ...{ phone_number: info.display_phone_number, verified_name: info.verified_name },
      ...{ quality: info.quality_rating, tier },
    }
    await db
      .forProject(project_id)
      .updateTable('whatsapp_connections')
      .set({ ...said, checked_at: clock(), problem: hears ? null : NOT_HEARD })
      .where('id', '=', id)
      .execute()
  }

  async function look(row: ConnectionRow): Promise<void> {
    const token = connections.keysOf(row)?.token
    if (token === undefined) return
    try {
      await note(row, await ask(row, token))
    } catch (error) {
      if (error instanceof GraphError && error.action === 'reconnect') return connections.note(row, error.message)
      // a WhatsApp that can't be reached just now is no fault of the number
      if (!(error instanceof GraphError || error instanceof AnswerLost)) throw error
      log.info({ err: error, connection: row.gid }, 'a number at WhatsApp could not be looked at')
    }
  }

  return {
    ask,
    note,
    /** Looks at the numbers that nobody has looked at for a while. */
    async sweep(): Promise<void> {
      const rows = await db
        .selectFrom('whatsapp_connections')
        .selectAll()
        .where('checked_at', '<=', new Date(clock().getTime() - LOOK_EVERY))
        .orderBy('checked_at')
        .limit(AT_ONCE)
        .execute()
      for (const row of rows) await look(row)
    },
  }
}
export type CheckNumber = ReturnType<typeof createCheckNumber>
