import { type RawBuilder, sql } from 'kysely'
import { type ContactField, contactFields } from '../../../../engine/values/contactFields'
import {
  type ContactCondition,
  type ContactConditions,
  type ContactFact,
  CUSTOM,
  type FilterType,
  filterTypeOf,
} from '../../../contracts/contactFilter'
import type { CustomField } from '../../../contracts/customFields'

const DAY = 86_400_000

/** What conditions are read with: the project's own fields, and the time. */
export interface FilterContext {
  own: readonly Pick<CustomField, 'name' | 'type'>[]
  now: Date
}

/**
 * Whether a row of `contacts` (of that name in the query) is let through. Conversations are those that are linked to
 * the contact, without tests. Days are in UTC.
 * @param filter without problems (`conditionProblem`); a condition of an unknown field lets nobody through
 */
export function matchesFilter({ match, conditions }: ContactConditions, context: FilterContext): RawBuilder<boolean> {
  if (conditions.length === 0) return sql<boolean>`true`
  const each = conditions.map((condition) => sql`(${holds(condition, context)})`)
  return sql<boolean>`(${sql.join(each, match === 'all' ? sql` and ` : sql` or `)})`
}

function holds(condition: ContactCondition, { own, now }: FilterContext): RawBuilder<unknown> {
  const { field, operator, value } = condition
  const type = filterTypeOf(field, own)
  if (type === null) return sql`false`
  if (field === 'tags') return ofTags(condition)
  if (field === 'channel' || field === 'language') return ofConversations(field, condition)
  const asked = askedValue(field, type)
  if (operator === 'is-empty') return sql`${asked} is null`
  if (operator === 'is-set') return sql`${asked} is not null`
  switch (type) {
    case 'number':
      return compareNumbers(asked, condition)
    case 'date':
    case 'moment':
      return compareMoments(asked, condition, now, type)
    case 'boolean':
      return sql`coalesce(${asked}, false) = ${value === 'true'}::boolean`
    default:
      return compareTexts(asked, condition)
  }
}

const newest = (what: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select ${what} from conversations seen where seen.contact_id = contacts.id and seen.project_id = contacts.project_id
    and seen.environment in ('production', 'sharing'))`

const facts: Readonly<Record<Exclude<ContactFact, 'tags' | 'channel' | 'language'>, RawBuilder<unknown>>> = {
  created_at: sql`contacts.created_at`,
  last_seen: newest(sql`max(seen.updated_at)`),
  conversations: newest(sql`count(*)`),
  blocked: sql`contacts.blocked`,
  verified: sql`(contacts.verified_id is not null)`,
  test: sql`contacts.test`,
}

/** The value as its type; null: it has none, or what stands there is none of that type. */
function askedValue(field: string, type: FilterType): RawBuilder<unknown> {
  if (!field.startsWith(CUSTOM)) {
    const isField = (contactFields as readonly string[]).includes(field)
    return isField
      ? sql`nullif(${sql.ref(`contacts.${field as ContactField}`)}, '')`
      : facts[field as keyof typeof facts]
  }
  const text = sql`(contacts.custom ->> ${field.slice(CUSTOM.length)}::text)`
  switch (type) {
    case 'number':
      return sql`(case when ${text} ~ '^-?\\d{1,15}(\\.\\d{1,15})?$' then ${text}::numeric end)`
    // compared as text, which for such dates is the same: what flows wrote may look like a date and be none
    case 'date':
      return sql`(case when ${text} ~ '^\\d{4}-\\d\\d-\\d\\d$' then ${text} collate "C" end)`
    case 'boolean':
      return sql`(case ${text} when 'true' then true when 'false' then false end)`
    default:
      return sql`nullif(${text}, '')`
  }
}

function compareTexts(asked: RawBuilder<unknown>, { operator, value }: ContactCondition): RawBuilder<unknown> {
  const like = value.replace(/[\\%_]/g, '\\$&')
  switch (operator) {
    case 'equals':
      return sql`lower(${asked}) = lower(${value}::text)`
    case 'not-equals':
      return sql`lower(${asked}) is distinct from lower(${value}::text)`
    case 'contains':
      return sql`${asked} ilike ${`%${like}%`}::text`
    case 'not-contains':
      return sql`coalesce(${asked}, '') not ilike ${`%${like}%`}::text`
    case 'starts-with':
      return sql`${asked} ilike ${`${like}%`}::text`
    default:
      return sql`false`
  }
}

function compareNumbers(asked: RawBuilder<unknown>, { operator, value }: ContactCondition): RawBuilder<unknown> {
  switch (operator) {
    case 'equals':
      return sql`${asked} = ${value}::numeric`
    case 'not-equals':
      return sql`${asked} is distinct from ${value}::numeric`
    case 'greater':
      return sql`${asked} > ${value}::numeric`
    case 'less':
      return sql`${asked} < ${value}::numeric`
    default:
      return sql`false`
  }
}

/** Days compare as text, moments as such; days ago include the day itself. */
function compareMoments(
  asked: RawBuilder<unknown>,
  { operator, value }: ContactCondition,
  now: Date,
  type: 'date' | 'moment',
): RawBuilder<unknown> {
  const at = (moment: string) => (type === 'date' ? sql`${moment.slice(0, 10)}::text` : sql`${moment}::timestamptz`)
  const daysAgo = () => at(new Date(now.getTime() - Number(value) * DAY).toISOString())
  switch (operator) {
    case 'equals':
      return sql`${asked} = ${at(value)}`
    case 'before':
      return sql`${asked} < ${at(`${value}T00:00:00Z`)}`
    case 'after':
      return type === 'date'
        ? sql`${asked} > ${at(value)}`
        : sql`${asked} >= (${value}::date + 1)::timestamp at time zone 'utc'`
    case 'within-days':
      return sql`${asked} between ${daysAgo()} and ${at(now.toISOString())}`
    case 'before-days':
      return sql`${asked} < ${daysAgo()}`
    default:
      return sql`false`
  }
}

function ofTags({ operator, value }: ContactCondition): RawBuilder<unknown> {
  switch (operator) {
    case 'contains':
      return sql`contacts.tags @> array[${value}]::text[]`
    case 'not-contains':
      return sql`not contacts.tags @> array[${value}]::text[]`
    case 'is-set':
      return sql`contacts.tags <> '{}'`
    case 'is-empty':
      return sql`contacts.tags = '{}'`
    default:
      return sql`false`
  }
}

/** Whether any conversation was in it; `pt` includes `pt-br`. */
function ofConversations(field: 'channel' | 'language', { operator, value }: ContactCondition): RawBuilder<unknown> {
  const column = sql.ref(`seen.${field}`)
  const code = value.toLowerCase()
  const is =
    operator === 'is-set' || operator === 'is-empty'
      ? sql`${column} is not null`
      : sql`(
    lower(${column}) = ${code} or starts_with(lower(${column}), ${`${code}-`}))`
  const some = sql`exists (select from conversations seen where seen.contact_id = contacts.id
    and seen.project_id = contacts.project_id and seen.environment in ('production', 'sharing') and ${is})`
  return operator === 'not-equals' || operator === 'is-empty' ? sql`not ${some}` : some
}
