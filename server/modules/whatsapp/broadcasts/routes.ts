import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../../access/access'
import { chatbotOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import type { FilledTemplate } from '../../../contracts/channelTemplates'
import { templateText } from '../../../contracts/channelTemplates'
import * as contract from '../../../contracts/whatsappBroadcasts'
import type { WhatsappTemplate } from '../../../contracts/whatsappTemplates'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb, ProjectWork } from '../../../platform/database/database'
import { ApiError, fieldError } from '../../../platform/errors'
import { appendEvent, type EventContext } from '../../../platform/events/defineEvent'
import { segmentFilter } from '../../contacts/segments/readFilter'
import type { ConnectionRow, Connections } from '../connections'
import { whatsappBroadcastResumed, whatsappBroadcastStarted, whatsappBroadcastStopped } from '../events'
import type { Templates } from '../templates'
import { audienceOf, countReasons } from './audience'
import { failuresOf, presentBroadcasts } from './presentBroadcasts'
import { type BroadcastRow, sendBroadcast } from './sendBroadcast'

const SHOWN = 50
/** Rows of one statement. */
const AT_ONCE = 1_000

interface Parts {
  connections: Connections
  templates: Pick<Templates, 'ofConnection'>
}

/** A template to a segment of contacts: who would get it, starting and stopping, and what came of it. */
export function registerBroadcasts(
  app: FastifyInstance,
  context: ServerContext,
  { connections, templates }: Parts,
): void {
  const { clock, ids, jobs } = context

  registerRoute(app, context, contract.listBroadcasts, async ({ caller, params }) => {
    const { id } = await find(caller, params.cgid)
    const rows = await caller.db
      .selectFrom('whatsapp_broadcasts')
      .selectAll()
      .where('connection_id', '=', id)
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute()
    return { broadcasts: await presentBroadcasts(caller.db, rows) }
  })

  registerRoute(app, context, contract.checkBroadcast, async ({ caller, params, body }) => {
    const connection = await find(caller, params.cgid)
    const template = await templateOf(caller.db, connection, body)
    const { gets, not } = await audience(caller.db, connection, template, body)
    return {
      count: gets.length,
      skipped: countReasons(not),
      gets: gets.slice(0, contract.LISTED).map(({ contact, name, number, values }) => ({
        ...{ contact, name, number },
        text: templateText(template, values),
      })),
      not: not.slice(0, contract.LISTED),
    }
  })

  registerRoute(app, context, contract.startBroadcast, async ({ caller, params, body, origin }) => {
    const connection = await find(caller, params.cgid)
    const { project_id } = connection
    const template = await templateOf(caller.db, connection, body)
    const row = await caller.db.transaction().execute(async (work) => {
      const { gets, not } = await audience(work, connection, template, body)
      if (gets.length === 0) throw fieldError('segment', 'Nobody in it would get this. Check who would, and why not.')
      const at = clock()
      const made = await work
        .insertInto('whatsapp_broadcasts')
        .values({
          ...{ gid: ids(), project_id, connection_id: connection.id, name: body.name },
          segment: body.segment === null ? '' : await nameOf(work, body.segment),
          template: JSON.stringify(body.template),
          ...{ fills: JSON.stringify(body.fills), per_minute: body.per_minute },
          ...{ price: String(body.price), currency: body.currency, skipped: JSON.stringify(countReasons(not)) },
          ...{ status: 'running', next_at: at, created_by: caller.user.id, created_at: at },
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      for (let from = 0; from < gets.length; from += AT_ONCE)
        await work
          .insertInto('whatsapp_broadcast_people')
          .values(
            gets.slice(from, from + AT_ONCE).map(({ contactId, personId, conversationId }) => ({
              ...{ project_id, broadcast_id: made.id, contact_id: contactId },
              ...{ person_id: personId, conversation_id: conversationId },
            })),
          )
          .execute()
      await schedule(work, made)
      const { gid, name } = made
      await appendEvent(work, whatsappBroadcastStarted, origin, {
        ...{ chatbot: params.cgid, broadcast: gid, name, count: gets.length },
      })
      return made
    })
    jobs.wake()
    return present(caller.db, row)
  })

  registerRoute(app, context, contract.stopBroadcast, ({ caller, params, origin }) =>
    turn(caller, params, { from: 'running', to: 'stopped', event: whatsappBroadcastStopped, origin }),
  )
  registerRoute(app, context, contract.resumeBroadcast, ({ caller, params, origin }) =>
    turn(caller, params, { from: 'stopped', to: 'running', event: whatsappBroadcastResumed, origin }),
  )

  registerRoute(app, context, contract.listBroadcastFailures, async ({ caller, params }) => {
    const { id } = await find(caller, params.cgid)
    const row = await caller.db
      .selectFrom('whatsapp_broadcasts')
      .selectAll()
      .where('connection_id', '=', id)
      .where('gid', '=', params.broadcast)
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found')
    return { failures: await failuresOf(caller.db, row) }
  })

  interface Turn {
    from: BroadcastRow['status']
    to: BroadcastRow['status']
    event: typeof whatsappBroadcastStopped | typeof whatsappBroadcastResumed
    origin: EventContext
  }
  /** Stops or goes on; one that is there already stays as it is. */
  async function turn(
    caller: ProjectCaller,
    { cgid, broadcast }: { cgid: string; broadcast: string },
    { from, to, event, origin }: Turn,
  ) {
    const { id } = await find(caller, cgid)
    const row = await caller.db.transaction().execute(async (work) => {
      const known = await work
        .selectFrom('whatsapp_broadcasts')
        .selectAll()
        .where('connection_id', '=', id)
        .where('gid', '=', broadcast)
        .forUpdate()
        .executeTakeFirst()
      if (!known) throw new ApiError('not_found')
      if (known.status !== from) return known
      await work.updateTable('whatsapp_broadcasts').set({ status: to }).where('id', '=', known.id).execute()
      if (to === 'running') await schedule(work, known)
      await appendEvent(work, event, origin, { chatbot: cgid, broadcast })
      return { ...known, status: to }
    })
    jobs.wake()
    return present(caller.db, row)
  }

  const schedule = (work: ProjectWork, { gid, project_id }: BroadcastRow) =>
    jobs.schedule(work, sendBroadcast, {
      ...{ key: gid, payload: { broadcast: gid }, runAt: clock(), projectId: project_id },
    })

  async function present(own: ProjectDb, row: BroadcastRow) {
    const [broadcast] = await presentBroadcasts(own, [row])
    if (!broadcast) throw new ApiError('not_found')
    return { broadcast }
  }

  async function audience(
    own: ProjectDb | ProjectWork,
    connection: ConnectionRow,
    template: WhatsappTemplate,
    { segment, fills }: Pick<contract.BroadcastDraft, 'segment' | 'fills'>,
  ) {
    const wrong = fills.findIndex(({ field }) => !contract.isFillField(field))
    if (wrong >= 0) throw fieldError(`fills.${wrong}.field`, 'Choose a field')
    const filter = segment === null ? null : await segmentFilter({ db: own, projectId: connection.project_id }, segment)
    return audienceOf(own, { connection, template, fills, filter, now: clock() })
  }

  async function templateOf(own: ProjectDb, connection: ConnectionRow, { template }: { template: Named }) {
    const all = await templates.ofConnection(own, connection)
    const found = all.find(({ name, language }) => name === template.name && language === template.language)
    if (!found?.sendable) throw fieldError('template', 'WhatsApp does not take this template. Choose another one.')
    return found
  }

  async function find({ db, project }: ProjectCaller, cgid: string): Promise<ConnectionRow> {
    const { id } = await chatbotOf(db, project.id, cgid)
    const row = await connections.ofChatbot(db, project.id, id)
    if (!row) throw new ApiError('not_found')
    return row
  }
}

type Named = Pick<FilledTemplate, 'name' | 'language'>

async function nameOf(work: ProjectWork, segment: string): Promise<string> {
  const row = await work.selectFrom('contact_segments').select('name').where('gid', '=', segment).executeTakeFirst()
  return row?.name ?? ''
}
