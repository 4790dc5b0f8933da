import { type ConversationChange, LONGEST_SNOOZE_DAYS } from '../../contracts/inbox'
import type { ServerContext } from '../../platform/context'
import type { Db, Work } from '../../platform/database/database'
import { ApiError, fieldError } from '../../platform/errors'
import { appendEvent, type EventContext } from '../../platform/events/defineEvent'
import type { Runtime } from '../conversations/runtime/createRuntime'
import {
  conversationLabelled,
  conversationPrioritized,
  conversationSnoozed,
  conversationTeamed,
  visitorBlocked,
} from './events'
import { type FoundConversation, findConversation } from './findConversation'
import { answerersOf } from './members'
import { wakeConversation } from './wake'

const LONGEST_SNOOZE = LONGEST_SNOOZE_DAYS * 24 * 3_600_000

interface By {
  db: Db
  userId: string
  origin: EventContext
}

/** What members change in a conversation, beside what they say: each part in a transaction with its event. */
export function createChanges(
  context: Pick<ServerContext, 'clock' | 'jobs'>,
  { people, updates }: Pick<Runtime, 'people' | 'updates'>,
) {
  const { clock, jobs } = context

  /** @throws ApiError not_found; conflict if it can't be given back; invalid for a member or a time that can't be */
  return async function change(
    { db, userId, origin }: By,
    gid: string,
    { status, assignee, team, priority, snoozed_until, blocked, ...wanted }: ConversationChange,
  ): Promise<void> {
    const row = await findConversation(db, origin.projectId, gid)
    if (row.merged_into !== null) throw new ApiError('conversation_merged')
    if (status === 'person') await people.takeOver(row, userId)
    if (status === 'open') await people.reopen(row, userId)
    if (status === 'bot') await people.giveBack(row, userId, { versionId: await publishedVersion(db, row) })
    if (assignee === null) await people.unassign(row, userId)
    else if (assignee !== undefined) {
      const member = (await answerersOf(db, origin.projectId)).find(({ gid }) => gid === assignee)
      if (!member) throw fieldError('change.assignee', 'This person can’t answer visitors here.')
      await people.assign(row, member.id, { actor: 'user', userId })
    }
    if (team !== undefined) await transact(db, (work) => setTeam(work, row, team, origin))
    if (priority !== undefined)
      await transact(db, async (work) => {
        await set(work, row).set({ priority }).execute()
        await appendEvent(work, conversationPrioritized, origin, { conversation: row.gid, priority })
      })
    if (snoozed_until !== undefined) await snooze(db, row, snoozed_until, origin)
    if (wanted.add_labels?.length || wanted.remove_labels?.length)
      await transact(db, (work) => setLabels(work, row, wanted, origin))
    if (blocked !== undefined) await transact(db, (work) => block(work, row, blocked, { userId, origin }))
    if (status === 'closed') await people.close(row, { actor: 'user', userId })
    updates.publish(row.id)
  }

  async function snooze(db: Db, row: FoundConversation, until: string | null, origin: EventContext): Promise<void> {
    const at = until === null ? null : new Date(until)
    const ahead = at === null ? null : at.getTime() - clock().getTime()
    if (ahead !== null && (ahead <= 0 || ahead > LONGEST_SNOOZE))
      throw fieldError('change.snoozed_until', 'Choose a time within the next year.')
    await transact(db, async (work) => {
      await set(work, row).set({ snoozed_until: at }).execute()
      if (at !== null) {
        const payload = { conversation: row.gid }
        await jobs.schedule(work, wakeConversation, { key: row.id, payload, runAt: at, projectId: row.project_id })
      }
      await appendEvent(work, conversationSnoozed, origin, { conversation: row.gid, until: at?.toISOString() ?? null })
    })
    if (at !== null) jobs.wake(at)
  }

  async function block(
    work: Work,
    row: FoundConversation,
    blocked: boolean,
    { userId, origin }: Omit<By, 'db'>,
  ): Promise<void> {
    const { visitor_hash, channel, address, chatbot_id, project_id } = row
    if (visitor_hash === null && address === null)
      throw new ApiError('conflict', { message: 'This visitor can’t be told apart from others.' })
    const who = visitor_hash ? { visitor_hash, channel: null, address: null } : { visitor_hash: null, channel, address }
    if (blocked)
      await work
        .insertInto('blocked_visitors')
        .values({ project_id, chatbot_id, ...who, blocked_by: userId, created_at: clock() })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    else
      await work
        .deleteFrom('blocked_visitors')
        .where('project_id', '=', project_id)
        .where('chatbot_id', '=', chatbot_id)
        .where((eb) =>
          visitor_hash
            ? eb('visitor_hash', '=', visitor_hash)
            : eb.and([eb('channel', '=', channel), eb('address', '=', address)]),
        )
        .execute()
    await appendEvent(work, visitorBlocked, origin, { conversation: row.gid, blocked })
  }
}

const transact = <Result>(db: Db, task: (work: Work) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(task)

const set = (work: Work, { id, project_id }: FoundConversation) =>
  work.updateTable('conversations').where('id', '=', id).where('project_id', '=', project_id)

async function setTeam(work: Work, row: FoundConversation, gid: string | null, origin: EventContext): Promise<void> {
  const team =
    gid === null
      ? null
      : await work
          .selectFrom('teams')
          .select(['id', 'name'])
          .where('gid', '=', gid)
          .where('project_id', '=', row.project_id)
          .executeTakeFirst()
  if (team === undefined) throw fieldError('change.team', 'This team is no longer there.')
  await set(work, row)
    .set({ team_id: team?.id ?? null })
    .execute()
  await appendEvent(work, conversationTeamed, origin, {
    conversation: row.gid,
    team: gid,
    name: team?.name ?? null,
  })
}

async function setLabels(
  work: Work,
  row: FoundConversation,
  { add_labels = [], remove_labels = [] }: Pick<ConversationChange, 'add_labels' | 'remove_labels'>,
  origin: EventContext,
): Promise<void> {
  const labels = await work
    .selectFrom('labels')
    .select(['id', 'gid'])
    .where('project_id', '=', row.project_id)
    .where('gid', 'in', [...add_labels, ...remove_labels])
    .execute()
  const idsOf = (gids: readonly string[]) => labels.filter(({ gid }) => gids.includes(gid)).map(({ id }) => id)
  const added = idsOf(add_labels)
  const removed = idsOf(remove_labels)
  if (added.length < new Set(add_labels).size) throw fieldError('change.add_labels', 'This label is no longer there.')
  if (added.length > 0)
    await work
      .insertInto('conversation_labels')
      .values(added.map((label_id) => ({ conversation_id: row.id, project_id: row.project_id, label_id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  if (removed.length > 0)
    await work
      .deleteFrom('conversation_labels')
      .where('conversation_id', '=', row.id)
      .where('project_id', '=', row.project_id)
      .where('label_id', 'in', removed)
      .execute()
  await appendEvent(work, conversationLabelled, origin, {
    conversation: row.gid,
    added: [...add_labels],
    removed: [...remove_labels],
  })
}

/** The version that a conversation goes on with when the bot has it again. */
async function publishedVersion(db: Db, row: FoundConversation): Promise<string> {
  const flow = await db
    .selectFrom('flows')
    .select('published_version_id')
    .where('project_id', '=', row.project_id)
    .where('chatbot_id', '=', row.chatbot_id)
    .where('is_main', '=', true)
    .executeTakeFirst()
  if (!flow?.published_version_id) throw new ApiError('conflict', { message: 'The chatbot is not published.' })
  return flow.published_version_id
}
