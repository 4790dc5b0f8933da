import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { BotMessage } from '../../../../engine/flow/conversation'
import { plainRichText } from '../../../../engine/values/richText'
import { templateText } from '../../../contracts/channelTemplates'
import type { WhatsappTemplate } from '../../../contracts/whatsappTemplates'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { defineJob } from '../../../platform/jobs/defineJob'
import { appendMessages } from '../../conversations/messages/appendMessages'
import type { Runtime } from '../../conversations/runtime/createRuntime'
import { lockConversation } from '../../conversations/runtime/rows'
import type { WhatsappBroadcastsTable } from '../tables'
import type { Templates } from '../templates'
import { fill } from './audience'

export const sendBroadcast = defineJob('send-whatsapp-broadcast', z.strictObject({ broadcast: z.string() }))

export type BroadcastRow = Selectable<WhatsappBroadcastsTable>

const MINUTE = 60_000
/** How often some more are said, unless the pace is slower than one each time. */
const ROUND = 5_000

interface Parts {
  runtime: Pick<Runtime, 'updates'>
  templates: Pick<Templates, 'ofConnection'>
}

/**
 * Says a broadcast's message to some more people, at its pace. Each is said in one transaction with the note that it
 * was: whatever is cut off, nobody gets it twice. Sending is the outbox's.
 */
export const sendsBroadcasts = (context: ServerContext, { runtime, templates }: Parts) =>
  sendBroadcast.handledBy(async ({ broadcast: gid }, { projectId }) => {
    if (projectId === null) return undefined
    const { db, clock, jobs } = context
    const own = db.forProject(projectId)
    const now = clock()
    const row = await own
      .selectFrom('whatsapp_broadcasts')
      .selectAll()
      .where('gid', '=', gid)
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    if (row?.status !== 'running') return undefined
    if (row.next_at > now) return row.next_at
    const round = Math.max(ROUND, MINUTE / row.per_minute)
    const next = new Date(now.getTime() + round)
    // one process takes a round
    const claimed = await own
      .updateTable('whatsapp_broadcasts')
      .set({ next_at: next })
      .where('id', '=', row.id)
      .where('project_id', '=', projectId)
      .where('next_at', '<=', now)
      .returning('id')
      .executeTakeFirst()
    if (!claimed) return next
    const template = await templateOf(own, row)
    const waiting = await own
      .selectFrom('whatsapp_broadcast_people')
      .select(['id'])
      .where('broadcast_id', '=', row.id)
      .where('project_id', '=', projectId)
      .where('seq', 'is', null)
      .where('problem', 'is', null)
      .orderBy('id')
      .limit(Math.max(1, Math.floor((row.per_minute * round) / MINUTE)))
      .execute()
    for (const { id } of waiting) {
      const said = await sayTo(own, row, id, template)
      if (said === 'stopped') return undefined
      if (said !== null) runtime.updates.publish(said)
    }
    jobs.wake()
    if (waiting.length > 0) return next
    await own
      .updateTable('whatsapp_broadcasts')
      .set({ status: 'done', ended_at: now })
      .where('id', '=', row.id)
      .where('project_id', '=', projectId)
      .where('status', '=', 'running')
      .execute()
    return undefined

    async function templateOf(on: ProjectDb, broadcast: BroadcastRow): Promise<WhatsappTemplate | undefined> {
      const connection = await on
        .selectFrom('whatsapp_connections')
        .selectAll()
        .where('id', '=', broadcast.connection_id)
        .where('project_id', '=', broadcast.project_id)
        .executeTakeFirst()
      const all = connection ? await templates.ofConnection(on, connection) : []
      const { name, language } = broadcast.template
      return all.find((each) => each.name === name && each.language === language && each.sendable)
    }

    /** @returns the conversation; null if it was not said */
    async function sayTo(on: ProjectDb, broadcast: BroadcastRow, id: string, found: WhatsappTemplate | undefined) {
      return on.transaction().execute(async (work): Promise<string | null> => {
        const still = await work
          .selectFrom('whatsapp_broadcasts')
          .select('id')
          .where('id', '=', broadcast.id)
          .where('status', '=', 'running')
          .forShare()
          .executeTakeFirst()
        if (!still) return 'stopped'
        const to = await work
          .selectFrom('whatsapp_broadcast_people')
          .innerJoin('contacts', (join) =>
            join
              .onRef('contacts.id', '=', 'whatsapp_broadcast_people.contact_id')
              .onRef('contacts.project_id', '=', 'whatsapp_broadcast_people.project_id'),
          )
          .selectAll('contacts')
          .select(['whatsapp_broadcast_people.conversation_id'])
          .where('whatsapp_broadcast_people.id', '=', id)
          .where('whatsapp_broadcast_people.seq', 'is', null)
          .where('whatsapp_broadcast_people.problem', 'is', null)
          .forUpdate('whatsapp_broadcast_people')
          .executeTakeFirst()
        const conversation =
          to && (await lockConversation(work, { id: to.conversation_id, project_id: broadcast.project_id }))
        if (!to || !conversation) return null
        const values = found ? fill(found, broadcast.fills, to) : null
        const said = work.updateTable('whatsapp_broadcast_people').where('id', '=', id)
        const problem = to.blocked ? BLOCKED : !found ? GONE : values === null ? EMPTY : null
        if (problem !== null || !found || values === null) {
          await said.set({ problem: problem ?? EMPTY }).execute()
          return null
        }
        const message = { author: 1, content: contentOf(found, values), blockId: null } as const
        const [stored] = await appendMessages(work, conversation, [message], now)
        await said.set({ seq: stored?.seq ?? null }).execute()
        return to.conversation_id
      })
    }
  })

const BLOCKED = 'This person has been blocked.'
const GONE = 'WhatsApp does not take the template any more.'
const EMPTY = 'A value of the template is empty.'

/** What a template says with these values, and how it is sent. */
export const contentOf = (template: WhatsappTemplate, values: readonly string[]): BotMessage => ({
  kind: 'text',
  text: plainRichText(templateText(template, values)),
  template: {
    name: template.name,
    language: template.language,
    values: template.places.map((place, at) => ({ ...place, value: values[at] ?? '' })),
  },
})
