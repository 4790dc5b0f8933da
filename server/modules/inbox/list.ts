import { type ExpressionBuilder, sql } from 'kysely'
import { CONVERSATIONS_A_PAGE, type InboxEntry, type InboxFilters, type InboxView } from '../../contracts/inbox'
import type { Db } from '../../platform/database/database'
import type { Database } from '../../platform/database/tables'
import { entriesOf } from './entries'
import { isVisible, isVisitors } from './findConversation'
import { survivorsOf } from './merge/mergedInto'
import { presentEntry } from './presenter'
import type { FoundMessage } from './search'

/** Whose inbox: `userId` is who looks. */
export interface Inbox {
  projectId: string
  userId: string
}

type Build = ExpressionBuilder<Database, 'conversations'>

/** Something is due in it. With the project, which the index has first. */
const isDue = sql<boolean>`exists (select from conversation_targets as due where due.conversation_id = conversations.id
  and due.project_id = conversations.project_id and due.due_at is not null)`

/** It is not merged into another one, which only closed ones are. */
const isItsOwn = sql<boolean>`conversations.merged_into is null`

/** Condition: conversations of a view. All but the last two are open, and not snoozed. */
export const viewOf = (view: InboxView, userId: string) => (eb: Build) => {
  const isOpen = sql<boolean>`conversations.status in ('bot', 'waiting', 'person')`
  const isAwake = eb('conversations.snoozed_until', 'is', null)
  switch (view) {
    case 'mine':
      return eb.and([isOpen, isAwake, eb('conversations.assignee_id', '=', userId)])
    case 'unassigned':
      return eb.and([
        sql<boolean>`conversations.status in ('waiting', 'person')`,
        isAwake,
        eb('conversations.assignee_id', 'is', null),
      ])
    case 'waiting':
      return eb.and([eb('conversations.waiting_since', 'is not', null), isOpen, isAwake])
    case 'mentions':
      return eb.and([
        isItsOwn,
        eb.exists(
          eb
            .selectFrom('note_mentions')
            .select('note_mentions.note_id')
            .whereRef('note_mentions.conversation_id', '=', 'conversations.id')
            .where('note_mentions.user_id', '=', userId),
        ),
      ])
    case 'bot':
      return eb.and([sql<boolean>`conversations.status = 'bot'`, isAwake])
    case 'all':
      return eb.and([isOpen, isAwake])
    case 'due':
      return eb.and([isOpen, isAwake, isDue])
    case 'snoozed':
      return eb.and([eb('conversations.snoozed_until', 'is not', null), isOpen])
    case 'closed':
      return eb.and([sql<boolean>`conversations.status = 'closed'`, isItsOwn])
  }
}

/** Condition: visitors' browsers are of a language, whatever the region: `en` is `en-us`, too. */
const speaks = (language: string) =>
  sql<boolean>`(conversations.language = ${language} or starts_with(conversations.language, ${`${language}-`}))`

/** Condition: conversations that pass the filters. */
export const passes = (filters: InboxFilters) => (eb: Build) => {
  const { chatbot, label, team, channel, language, rating, environment, since, until } = filters
  const all = [
    chatbot !== undefined &&
      eb('conversations.chatbot_id', '=', eb.selectFrom('chatbots').select('chatbots.id').where('gid', '=', chatbot)),
    label !== undefined &&
      eb.exists(
        eb
          .selectFrom('conversation_labels')
          .innerJoin('labels', 'labels.id', 'conversation_labels.label_id')
          .select('labels.id')
          .whereRef('conversation_labels.conversation_id', '=', 'conversations.id')
          .where('labels.gid', '=', label),
      ),
    team !== undefined &&
      eb('conversations.team_id', '=', eb.selectFrom('teams').select('teams.id').where('gid', '=', team)),
    channel !== undefined && eb('conversations.channel', '=', channel),
    language !== undefined && speaks(language.toLowerCase()),
    rating !== undefined &&
      eb.exists(
        eb
          .selectFrom('survey_answers')
          .select('survey_answers.rating')
          .whereRef('survey_answers.conversation_id', '=', 'conversations.id')
          .where('survey_answers.rating', '=', rating),
      ),
    environment !== undefined && eb('conversations.environment', '=', environment),
    since !== undefined && eb('conversations.created_at', '>=', new Date(since)),
    until !== undefined && eb('conversations.created_at', '<', new Date(until)),
  ]
  return eb.and(all.filter((condition) => condition !== false))
}

/** A page of a view, the newest first. @param after where the page before ended */
export async function listConversations(
  db: Db,
  { projectId, userId }: Inbox,
  { view, after, filters }: { view: InboxView; after: string | undefined; filters: InboxFilters },
): Promise<{ conversations: InboxEntry[]; next: string | null }> {
  const [ms, gid = ''] = after?.split('.') ?? []
  const isByDue = view === 'due'
  const rows = await entriesOf(db, projectId)
    .where(isVisitors)
    .where(viewOf(view, userId))
    .where(passes(filters))
    .$if(ms !== undefined, (entries) =>
      entries.where(
        (eb) =>
          sql<boolean>`(${sql.ref(isByDue ? 'conversation_targets.due_at' : 'conversations.updated_at')}, conversations.id)
            ${sql.raw(isByDue ? '>' : '<')} (${new Date(Number(ms))}, ${eb
              .selectFrom('conversations as before')
              .select('before.id')
              .where('before.gid', '=', gid)})`,
      ),
    )
    .orderBy(isByDue ? 'conversation_targets.due_at' : 'conversations.updated_at', isByDue ? 'asc' : 'desc')
    .orderBy('conversations.id', isByDue ? 'asc' : 'desc')
    .limit(CONVERSATIONS_A_PAGE + 1)
    .execute()
  const shown = rows.slice(0, CONVERSATIONS_A_PAGE)
  const last = shown.at(-1)
  return {
    conversations: shown.map((row) => presentEntry(row)),
    next:
      rows.length > shown.length && last
        ? `${(isByDue && last.due_at ? last.due_at : last.updated_at).getTime()}.${last.gid}`
        : null,
  }
}

/** The conversations in which messages were found, in the order of those: of a merged one, the survivor. */
export async function listFound(
  db: Db,
  { projectId }: Inbox,
  found: readonly FoundMessage[],
  filters: InboxFilters,
): Promise<InboxEntry[]> {
  if (found.length === 0) return []
  const survivors = await survivorsOf(
    db,
    projectId,
    found.map(({ conversation_id }) => conversation_id),
  )
  const shown = new Map<string, FoundMessage>()
  for (const message of found) {
    const id = survivors.get(message.conversation_id) ?? message.conversation_id
    if (!shown.has(id)) shown.set(id, message)
  }
  const ids = [...shown.keys()]
  const rows = await entriesOf(db, projectId)
    .where(isVisible)
    .where('conversations.id', 'in', ids)
    .where(passes(filters))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...shown].flatMap(([id, message]) => {
    const row = byId.get(id)
    return row ? [presentEntry(row, message)] : []
  })
}
