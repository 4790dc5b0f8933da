import { type InboxFilters, type InboxView, inboxViews, MOST_COUNTED } from '../../contracts/inbox'
import type { KeptView } from '../../contracts/inboxViews'
import type { Db } from '../../platform/database/database'
import { isVisitors } from './findConversation'
import { keptViewsOf } from './keptViews'
import { type Inbox, passes, viewOf } from './list'

const DAY = 86_400_000

/** Conversations of a view that pass filters, counted up to `MOST_COUNTED` + 1. */
async function count(db: Db, { projectId, userId }: Inbox, view: InboxView, filters: InboxFilters): Promise<number> {
  const those = db
    .selectFrom('conversations')
    .select('conversations.id')
    .where('conversations.project_id', '=', projectId)
    .where(isVisitors)
    .where(viewOf(view, userId))
    .where(passes(filters))
    .limit(MOST_COUNTED + 1)
  const { count } = await db
    .selectFrom(those.as('those'))
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many conversations each view, each team and each kept view has, counted up to `MOST_COUNTED` + 1. */
export async function countViews(
  db: Db,
  inbox: Inbox,
  { chatbot, now }: { chatbot?: string | undefined; now: Date },
): Promise<{ counts: Record<InboxView, number>; teams: Record<string, number>; kept: Record<string, number> }> {
  const of = chatbot === undefined ? {} : { chatbot }
  const [teams, views] = await Promise.all([
    db.selectFrom('teams').select('gid').where('project_id', '=', inbox.projectId).execute(),
    keptViewsOf(db, inbox),
  ])
  const countAll = async <Name extends string>(all: (readonly [Name, InboxView, InboxFilters])[]) => {
    const counted = all.map(async ([name, view, filters]) => [name, await count(db, inbox, view, filters)] as const)
    return Object.fromEntries(await Promise.all(counted)) as Record<Name, number>
  }
  const [counts, ofTeams, kept] = await Promise.all([
    countAll(inboxViews.map((view) => [view, view, of] as const)),
    countAll(teams.map(({ gid }) => [gid, 'all', { ...of, team: gid }] as const)),
    countAll(
      views
        .filter(({ view }) => view !== 'closed')
        .map(({ gid, view, filters }) => [gid, view, { ...periodOf(filters, now), ...of }] as const),
    ),
  ])
  return { counts, teams: ofTeams, kept }
}

/** The filters of a kept view as they are now: its days have a beginning. */
function periodOf({ days, ...filters }: KeptView['filters'], now: Date): InboxFilters {
  return days === undefined ? filters : { ...filters, since: new Date(now.getTime() - days * DAY).toISOString() }
}
