import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { registerRoute } from '../../access/register'
import { isAllowed } from '../../access/roles'
import { EVENTS_SHOWN, type LoggedEvent, readEventLog } from '../../contracts/eventLog'
import { PAYLOAD_VERSION } from '../../contracts/webhookEvents'
import type { ServerContext } from '../../platform/context'
import { type EventDefinition, readEvent } from '../../platform/events/defineEvent'
import { isSettledIn } from '../../platform/events/place'
import { concernsVisitors, publicName, publicNames, readPayload, type SourceEvent, sources } from './payloads'

const definitions = new Map<string, EventDefinition>(sources.map((source) => [source.type, source]))

/** The event log for programs: what webhooks tell of, read page by page instead of being sent. */
export function registerEventLog(app: FastifyInstance, context: ServerContext): void {
  registerRoute(app, context, readEventLog, async ({ caller: { db, project, roles }, query }) => {
    const wanted = query.types?.split(',')
    const types = [...definitions.keys()].filter(
      (type) => wanted?.includes(publicNames[type as SourceEvent['type']]) ?? true,
    )
    const personal = isAllowed(roles, 'conversations.view') && isAllowed(roles, 'contacts.view')
    // a row of the installation, which projects' own handles do not see
    const { event_epoch } = await context.db.selectFrom('installation').select('event_epoch').executeTakeFirstOrThrow()
    return db.transaction().execute(async (work) => {
      const rows = await work
        .selectFrom('events')
        .selectAll()
        .where('project_id', '=', project.id)
        .where('type', 'in', types)
        .where(isSettledIn(event_epoch))
        .$if(query.cursor !== undefined, (all) => all.where(isAfter(query.cursor ?? '')))
        .$if(query.since !== undefined, (all) => all.where('at', '>=', sinceOf(query.since ?? '')))
        .orderBy('epoch')
        .orderBy('tx')
        .orderBy('id')
        .limit(EVENTS_SHOWN + 1)
        .execute()
      const page = rows.slice(0, EVENTS_SHOWN)
      const events: LoggedEvent[] = []
      for (const row of page) {
        const event = readEvent(definitions.get(row.type) as EventDefinition, row) as SourceEvent
        const payload = concernsVisitors(event) ? await readPayload(work, event, personal) : null
        if (payload)
          events.push({
            id: `evt_${row.id}`,
            type: publicName(event),
            version: PAYLOAD_VERSION,
            timestamp: row.at.toISOString(),
            cursor: cursorOf(row),
            data: payload.data,
          })
      }
      const last = page.at(-1)
      return { events, next: rows.length > EVENTS_SHOWN && last ? cursorOf(last) : null }
    })
  })
}

/** There are no events from before 1970, and the database knows no year 0. */
const sinceOf = (text: string): Date => new Date(Math.max(0, Date.parse(text)))

const cursorOf = ({ epoch, tx, id }: { epoch: number; tx: string; id: string }): string => `${epoch}.${tx}.${id}`

/** Condition: the event comes after the place that a cursor names. */
function isAfter(cursor: string) {
  const [epoch, tx, id] = cursor.split('.')
  return sql<boolean>`(events.epoch, events.tx, events.id) > (${epoch}::integer, ${tx}::xid8, ${id}::bigint)`
}
