import { sql } from 'kysely'
import { z } from 'zod'
import type { ServerContext } from '../../platform/context'
import type { Work } from '../../platform/database/database'
import { type Consumer, defineConsumer } from '../../platform/events/defineConsumer'
import { appendEvent } from '../../platform/events/defineEvent'
import { defineJob, type HandledJob } from '../../platform/jobs/defineJob'
import { conversationHandedOver } from '../conversations/events'
import type { Runtime } from '../conversations/runtime/createRuntime'
import { isAssignable } from '../handOff/office'
import { conversationTeamed } from './events'

/** Gives a conversation that the bot handed over to its team, and there to a member. */
const assignConversation = defineJob('assign-conversation', z.strictObject({ conversation: z.string() }))

/** In ms. */
const SOON = 100

/** Schedules the assignment of each conversation that a bot hands over. */
export const followHandOvers = ({ jobs, clock }: Pick<ServerContext, 'jobs' | 'clock'>): Consumer =>
  defineConsumer({
    name: 'inbox-assignment',
    events: [conversationHandedOver],
    since: 'now',
    handle: async (work, { payload: { conversation }, projectId, at }) => {
      await jobs.schedule(work, assignConversation, {
        key: conversation,
        payload: { conversation },
        runAt: at,
        projectId,
      })
      // after the commit of the event's consumer
      jobs.wake(new Date(clock().getTime() + SOON))
    },
  })

/** Repeatable: what somebody has by now stays theirs. */
export const assignsConversations = (
  { db, clock }: Pick<ServerContext, 'db' | 'clock'>,
  { people }: Pick<Runtime, 'people'>,
): HandledJob =>
  assignConversation.handledBy(async ({ conversation }, { projectId }) => {
    if (projectId === null) return undefined
    const own = db.forProject(projectId)
    const row = await own
      .selectFrom('conversations')
      .leftJoin('hand_offs', 'hand_offs.conversation_id', 'conversations.id')
      .select(['conversations.id', 'conversations.project_id', 'conversations.team_id', 'hand_offs.team'])
      .where('conversations.gid', '=', conversation)
      .where('conversations.project_id', '=', projectId)
      .where('conversations.status', '=', 'waiting')
      .where('conversations.assignee_id', 'is', null)
      .executeTakeFirst()
    if (!row) return undefined
    const userId = await own.transaction().execute(async (work) => {
      const team = await work
        .selectFrom('teams')
        .select(['id', 'gid', 'name', 'assignment'])
        .where('project_id', '=', projectId)
        .where((eb) =>
          row.team_id === null
            ? eb(eb.fn<string>('lower', ['name']), '=', (row.team ?? '').trim().toLowerCase())
            : eb('id', '=', row.team_id),
        )
        // two conversations at once are given to two members
        .forUpdate()
        .executeTakeFirst()
      if (!team) return null
      if (row.team_id === null) {
        await work
          .updateTable('conversations')
          .set({ team_id: team.id })
          .where('id', '=', row.id)
          .where('project_id', '=', projectId)
          .execute()
        const at = { projectId, by: { actor: 'system' }, correlation: `assign.${conversation}`, at: clock() } as const
        await appendEvent(work, conversationTeamed, at, { conversation, team: team.gid, name: team.name })
      }
      if (team.assignment === 'manual') return null
      const next = await nextOf(work, projectId, team)
      if (next === null) return null
      await work
        .updateTable('team_members')
        .set({ assigned_at: clock() })
        .where('team_id', '=', team.id)
        .where('project_id', '=', projectId)
        .where('user_id', '=', next)
        .execute()
      return next
    })
    if (userId !== null) await people.assign(row, userId, { actor: 'system' })
    return undefined
  })

/**
 * Who gets the next conversation of a team: with `round_robin` who was given one the longest ago, with `least_busy` who
 * has the fewest open ones; members who may no longer answer, or are away, are passed over. Null: there is nobody.
 */
async function nextOf(
  work: Work,
  projectId: string,
  team: { id: string; assignment: 'manual' | 'round_robin' | 'least_busy' },
): Promise<string | null> {
  const busy = sql<number>`(select count(*) from conversations where conversations.assignee_id = team_members.user_id
    and conversations.project_id = team_members.project_id and conversations.status = 'person')`
  const member = await work
    .selectFrom('team_members')
    .innerJoin('project_members', (join) =>
      join
        .onRef('project_members.user_id', '=', 'team_members.user_id')
        .onRef('project_members.project_id', '=', 'team_members.project_id'),
    )
    .select('team_members.user_id')
    .where('team_members.team_id', '=', team.id)
    .where('team_members.project_id', '=', projectId)
    .where(isAssignable)
    .$if(team.assignment === 'least_busy', (members) => members.orderBy(busy))
    .orderBy(sql`team_members.assigned_at asc nulls first`)
    .orderBy('team_members.user_id')
    .limit(1)
    .executeTakeFirst()
  return member?.user_id ?? null
}
