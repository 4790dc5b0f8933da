import { type RawBuilder, sql } from 'kysely'
import type { Feature } from '../contracts/route'
import type { Db } from '../platform/database/database'
import { type Entitled, entitlementsOf, limitAsSql } from './entitlements'
import { type PlanLimits, UNREACHABLE } from './plans'
import { Role } from './roles'

/**
 * Limits that count what is there. When one shrinks, nothing is deleted: what is over it can only be read
 * (billing/README.md). All other limits count the uses of a month: there, a smaller one lets less happen from then on.
 */
export const COUNTED = ['chatbots', 'seats', 'custom_domains'] as const satisfies (keyof PlanLimits)[]
export type Counted = (typeof COUNTED)[number]

/** Something that takes a place within a limit. */
export interface Place {
  gid: string
  name: string
  /** an owner said that it stays */
  chosen: boolean
  /** it stays whatever is chosen: owners do, who can mend what is over */
  fixed: boolean
}
/** All that counts towards a limit; what stays comes first. */
export interface Places {
  limit: Counted
  max: number
  places: Place[]
}

/** Whether what is `ahead` of something leaves no place for it, as SQL of a query that has `projects`. */
const isFull = (limit: Counted, ahead: RawBuilder<unknown>): RawBuilder<boolean> =>
  // no count of rows where no limit is in reach
  sql<boolean>`(case when ${limitAsSql(limit)} >= ${sql.lit(UNREACHABLE)} then false
    else ${ahead} >= ${limitAsSql(limit)} end)`

/**
 * Whether a chatbot is over its project's limit, as SQL of a query that has `projects` and `chatbots`. Those chosen to
 * stay come first, then the oldest: an order that nothing changes but a choice. Samples take no place.
 */
export const isChatbotOver = sql<boolean>`(not chatbots.sample and ${isFull(
  'chatbots',
  sql`(select count(*) from chatbots as other
    where other.project_id = chatbots.project_id and other.deleting_since is null and not other.sample
      and (other.chosen_to_stay, -other.id) > (chatbots.chosen_to_stay, -chatbots.id))`,
)})`

/** The same for a member, of a query that has `projects` and `project_members`. Owners are never over. */
export const isMemberOver = sql<boolean>`(not ${sql.lit(Role.OWNER)} = any(project_members.roles) and ${isFull(
  'seats',
  sql`(select count(*) from project_members as other
    where other.project_id = project_members.project_id
      and (${sql.lit(Role.OWNER)} = any(other.roles) or (other.chosen_to_stay, project_members.created_at,
          project_members.user_id) > (project_members.chosen_to_stay, other.created_at, other.user_id)))`,
)})`

/** The same for a chatbot's own host, of a query that has `projects` and `custom_domains`. */
export const isDomainOver = isFull(
  'custom_domains',
  sql`(select count(*) from custom_domains as other
    where other.project_id = custom_domains.project_id
      and (other.chosen_to_stay, -other.id) > (custom_domains.chosen_to_stay, -custom_domains.id))`,
)

/** @returns what counts towards each limit of a project, in the order in which it stays */
export async function placesOf(db: Db, projectId: string, project: Entitled): Promise<Places[]> {
  const { limits } = entitlementsOf(project)
  const chatbots = await db
    .selectFrom('chatbots')
    .select(['gid', 'name', 'chosen_to_stay as chosen', sql<boolean>`false`.as('fixed')])
    .where('project_id', '=', projectId)
    .where('deleting_since', 'is', null)
    .where('sample', '=', false)
    .orderBy('chosen_to_stay', 'desc')
    .orderBy('id')
    .execute()
  const isOwner = sql<boolean>`${sql.lit(Role.OWNER)} = any(project_members.roles)`
  const members = await db
    .selectFrom('project_members')
    .innerJoin('users', 'users.id', 'project_members.user_id')
    .select(['users.gid', 'users.email', 'users.first_name', 'users.last_name'])
    .select(['project_members.chosen_to_stay as chosen', isOwner.as('fixed')])
    .where('project_members.project_id', '=', projectId)
    .orderBy(isOwner, 'desc')
    .orderBy('project_members.chosen_to_stay', 'desc')
    .orderBy('project_members.created_at')
    .orderBy('project_members.user_id')
    .execute()
  const domains = await db
    .selectFrom('custom_domains')
    .select(['gid', 'hostname as name', 'chosen_to_stay as chosen', sql<boolean>`false`.as('fixed')])
    .where('project_id', '=', projectId)
    .orderBy('chosen_to_stay', 'desc')
    .orderBy('id')
    .execute()
  const named = members.map(({ first_name, last_name, email, ...member }) => ({
    ...member,
    name: `${first_name} ${last_name}`.trim() || email,
  }))
  return [
    { limit: 'chatbots', max: limits.chatbots, places: chatbots },
    { limit: 'seats', max: limits.seats, places: named },
    { limit: 'custom_domains', max: limits.custom_domains, places: domains },
  ]
}

/** What of the places is over a limit. */
export const overOf = ({ max, places }: Pick<Places, 'max' | 'places'>): Place[] =>
  places.slice(max).filter(({ fixed }) => !fixed)

/** The same places, if the project had another plan and other add-ons. */
export const placesUnder = (places: readonly Places[], project: Entitled): Places[] => {
  const { limits } = entitlementsOf(project)
  return places.map((each) => ({ ...each, max: limits[each.limit] }))
}

const editing: Readonly<Record<string, readonly string[] | 'all'>> = {
  builder: 'all',
  actions: 'all',
  knowledge_base: ['create', 'update', 'resync', 'link', 'connect'],
  chatbots: ['update', 'duplicate'],
  instructions: ['update'],
  ai: ['update'],
  appearance: ['update'],
  settings: ['update'],
  visibility: ['update'],
  security: ['update'],
  embed: ['update'],
  share: ['update'],
  custom_domain: ['update'],
  whatsapp: ['profile', 'broadcast', 'connect'],
}

/**
 * Whether a feature, used for a chatbot, changes it: what one that is over the limit refuses. To delete of it stays
 * possible, and so do the inbox, contacts and figures, which are about visitors.
 */
export function changesChatbot(feature: Feature): boolean {
  const [group = '', name = ''] = feature.split('.')
  const names = Object.hasOwn(editing, group) ? editing[group] : undefined
  return names === 'all' ? name !== 'view' : (names?.includes(name) ?? false)
}

/** Groups of features that only agents have: one who is none has no flow to edit, and does nothing but answer. */
const ofAgents = new Set(['builder', 'actions'])

/** Whether a feature is one that chatbots of version 1 lack (SPEC.md 3). What is published of them stays theirs. */
export const isOfAgents = (feature: Feature): boolean =>
  feature !== 'builder.publish' && ofAgents.has(feature.split('.')[0] ?? '')

/** What is left to a member over the limit of seats: to look, and what mends it, to pay for a seat. */
export function isLeftToOver(feature: Feature): boolean {
  const [group, name] = feature.split('.')
  return name === 'view' || group === 'billing'
}
