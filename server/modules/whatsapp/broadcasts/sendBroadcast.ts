import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { BotMessage } from '../../../../engine/flow/conversation'
import { plainRichText } from '../../../../engine/values/richText'
import { templateText } from '../../../contracts/channelTemplates'
import type { WhatsappTemplate } from '../../../contracts/whatsappTemplates'
import type { ServerContext } from '../../../platform/context'
import type { ProjectDb } from '../../../platform/database/database'
import { Statement } from '../../../platform/database/statement'
import { defineJob } from '../../../platform/jobs/defineJob'
import { appendAt } from '../../conversations/messages/appendMessages'
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
/** To how many it is said in one transaction, which holds their conversations until it commits. */
const TOGETHER = 20

interface Parts {
  runtime: Pick<Runtime, 'updates'>
  templates: Pick<Templates, 'ofConnection'>
}

/**
 * Says a broadcast's message to some more people, at its pace. It is said in one transaction with the note that it
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
    for (let from = 0; from < waiting.length; from += TOGETHER) {
      const ids = waiting.slice(from, from + TOGETHER).map(({ id }) => id)
      const said = await sayTo(own, row, ids, template)
      if (said === 'stopped') return undefined
      for (const conversation of said) runtime.updates.publish(conversation)
      jobs.wake(undefined, 'sending')
    }
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

    /** @returns the conversations in which it was said */
    async function sayTo(on: ProjectDb, broadcast: BroadcastRow, ids: string[], found: WhatsappTemplate | undefined) {
      return on.transaction().execute(async (work): Promise<string[] | 'stopped'> => {
        const still = await work
          .selectFrom('whatsapp_broadcasts')
          .select('id')
          .where('id', '=', broadcast.id)
          .where('status', '=', 'running')
          .forShare()
          .executeTakeFirst()
        if (!still) return 'stopped'
        const people = await work
          .selectFrom('whatsapp_broadcast_people')
          .innerJoin('contacts', (join) =>
            join
              .onRef('contacts.id', '=', 'whatsapp_broadcast_people.contact_id')
              .onRef('contacts.project_id', '=', 'whatsapp_broadcast_people.project_id'),
          )
          .selectAll('contacts')
          .select(['whatsapp_broadcast_people.id as place', 'whatsapp_broadcast_people.conversation_id'])
          .where('whatsapp_broadcast_people.id', 'in', ids)
          .where('whatsapp_broadcast_people.seq', 'is', null)
          .where('whatsapp_broadcast_people.problem', 'is', null)
          // whoever locks several conversations does so in this order
          .orderBy('whatsapp_broadcast_people.conversation_id')
          .forUpdate('whatsapp_broadcast_people')
          .execute()
        const said: string[] = []
        for (const to of people) {
          const conversation = await lockConversation(work, {
            id: to.conversation_id,
            project_id: broadcast.project_id,
          })
          if (!conversation) continue
          const values = found ? fill(found, broadcast.fills, to) : null
          const note = (set: { problem: string } | { seq: number }) =>
            work
              .updateTable('whatsapp_broadcast_people')
              .set(set)
              .where('id', '=', to.place)
              .where('project_id', '=', broadcast.project_id)
          const problem = to.blocked ? BLOCKED : !found ? GONE : values === null ? EMPTY : null
          if (problem !== null || !found || values === null) {
            await note({ problem: problem ?? EMPTY }).execute()
            continue
          }
          const message = { author: 1, content: contentOf(found, values), blockId: null } as const
          const statement = new Statement()
          statement.withQuery('noted', note({ seq: conversation.last_seq + 1 }).returning('id'))
          await appendAt(statement, work, conversation, [message], now)
          said.push(to.conversation_id)
        }
        return said
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
