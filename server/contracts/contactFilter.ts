import { z } from 'zod'
import { contactFields } from '../../engine/values/contactFields'
import type { CustomField, CustomType } from './customFields'
import { defineRoute, gid, ok } from './route'

/** What a condition may ask of a contact beside its fields, and the type of each. */
export const contactFacts = {
  tags: 'tags',
  created_at: 'moment',
  last_seen: 'moment',
  conversations: 'number',
  language: 'code',
  channel: 'code',
  blocked: 'boolean',
  verified: 'boolean',
  test: 'boolean',
} as const
export type ContactFact = keyof typeof contactFacts
/** How a project's own field is named in a condition: before its name. */
export const CUSTOM = 'custom:'
export type FilterType = CustomType | (typeof contactFacts)[ContactFact]

/** Operators of each type; named as the engine's comparisons where they mean the same (engine/values/compare.ts). */
export const filterOperators = {
  text: ['equals', 'not-equals', 'contains', 'not-contains', 'starts-with', 'is-set', 'is-empty'],
  url: ['equals', 'not-equals', 'contains', 'not-contains', 'starts-with', 'is-set', 'is-empty'],
  code: ['equals', 'not-equals', 'is-set', 'is-empty'],
  choice: ['equals', 'not-equals', 'is-set', 'is-empty'],
  number: ['equals', 'not-equals', 'greater', 'less', 'is-set', 'is-empty'],
  date: ['equals', 'before', 'after', 'within-days', 'before-days', 'is-set', 'is-empty'],
  moment: ['before', 'after', 'within-days', 'before-days', 'is-set', 'is-empty'],
  boolean: ['equals', 'is-set', 'is-empty'],
  tags: ['contains', 'not-contains', 'is-set', 'is-empty'],
} as const satisfies Record<FilterType, readonly string[]>
export type FilterOperator = (typeof filterOperators)[FilterType][number]
const operators = [...new Set(Object.values(filterOperators).flat())]

export const filterCaps = { conditions: 20, value: 255, text: 12_000 } as const

export const contactConditionSchema = z.strictObject({
  /** a contact's field, a fact, or `custom:` and the name of an own field */
  field: z.string().min(1).max(80),
  operator: z.enum(operators),
  /** ignored by `is-set` and `is-empty` */
  value: z.string().trim().max(filterCaps.value, `Must not exceed ${filterCaps.value} characters`).default(''),
})
export const contactFilterSchema = z.strictObject({
  match: z.enum(['all', 'any']),
  conditions: z.array(contactConditionSchema).max(filterCaps.conditions, `At most ${filterCaps.conditions} conditions`),
})
export type ContactCondition = z.infer<typeof contactConditionSchema>
export type ContactConditions = z.infer<typeof contactFilterSchema>

export const filterNeedsValue = (operator: FilterOperator): boolean => operator !== 'is-set' && operator !== 'is-empty'

/** The type of what a condition asks; null: there is no such field. A field that nobody described is text. */
export function filterTypeOf(field: string, own: readonly Pick<CustomField, 'name' | 'type'>[]): FilterType | null {
  if (field.startsWith(CUSTOM)) {
    const name = field.slice(CUSTOM.length)
    return name === '' ? null : (own.find((each) => each.name === name)?.type ?? 'text')
  }
  if ((contactFields as readonly string[]).includes(field)) return field === 'website' ? 'url' : 'text'
  return Object.hasOwn(contactFacts, field) ? contactFacts[field as ContactFact] : null
}

/** What is wrong with a condition; null if nothing. Incomplete ones are refused, never passed over. */
export function conditionProblem(
  { field, operator, value }: ContactCondition,
  own: readonly Pick<CustomField, 'name' | 'type'>[],
): string | null {
  const type = filterTypeOf(field, own)
  if (type === null) return 'Choose a field'
  if (!(filterOperators[type] as readonly string[]).includes(operator)) return 'Choose how it is compared'
  if (!filterNeedsValue(operator)) return null
  if (operator === 'within-days' || operator === 'before-days')
    return /^\d{1,4}$/.test(value) ? null : 'Enter a number of days'
  if (type === 'number') return /^-?\d{1,9}(\.\d{1,10})?$/.test(value) ? null : 'Enter a number'
  if (type === 'date' || type === 'moment')
    return z.iso.date().safeParse(value).success ? null : 'Enter a date as YYYY-MM-DD'
  if (type === 'boolean') return value === 'true' || value === 'false' ? null : 'Choose yes or no'
  return value === '' ? 'Enter a value' : null
}

/** Above it a segment's count is not exact. */
export const COUNTED = 10_000

export const segmentSchema = z.strictObject({
  gid,
  name: z.string(),
  filter: contactFilterSchema,
  /** its contacts now, counted up to `COUNTED` */
  count: z.int(),
})
export type Segment = z.infer<typeof segmentSchema>
export const MOST_SEGMENTS = 50

const inProject = { pgid: gid }
const segment = {
  name: z.string().trim().min(1, 'Enter a name').max(60, 'Must not exceed 60 characters'),
  filter: contactFilterSchema,
}

/** The saved filters of a project, by name. */
export const listSegments = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/segments',
  access: { feature: 'contacts.view' },
  params: z.strictObject(inProject),
  answer: z.strictObject({ segments: z.array(segmentSchema) }),
})

export const createSegment = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/segments',
  access: { feature: 'contacts.update' },
  params: z.strictObject(inProject),
  body: z.strictObject(segment),
  answer: z.strictObject({ segment: segmentSchema }),
})

export const updateSegment = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/segments/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inProject, gid }),
  body: z.strictObject(segment),
  answer: z.strictObject({ segment: segmentSchema }),
})

export const deleteSegment = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/segments/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inProject, gid }),
  answer: ok,
})
