import { fieldsOf } from '../call'
import { refuseHubspot } from './errors'
import { presentRecord, recordsOf, sameValue } from './records'
import type { HubspotRecord, HubspotState, ObjectType } from './state'

interface Filter {
  propertyName: string
  operator: string
  value?: string
  highValue?: string
  values?: string[]
}
interface Search {
  filterGroups?: { filters: Filter[] }[]
  query?: string
  sorts?: string[]
  properties?: string[]
  limit?: number
  after?: string
}

const MOST_GROUPS = 5
const MOST_FILTERS = 6
const MOST_A_PAGE = 200
const MOST_FOUND = 10_000
/** What `query` looks into. */
const SEARCHED = [
  'email',
  'firstname',
  'lastname',
  'phone',
  'company',
  'name',
  'domain',
  'website',
  'subject',
  'content',
]

/** `POST objects/{type}/search`: groups are alternatives, the filters of one must all hold */
export function searchRecords(state: HubspotState, type: ObjectType, body: unknown) {
  const { filterGroups = [], query, sorts = [], properties = [], limit = 10, after = '0' } = fieldsOf(body) as Search
  const refuse = (message: string) => refuseHubspot(400, 'VALIDATION_ERROR', message)
  if (filterGroups.length > MOST_GROUPS)
    throw refuse(`too many filterGroups: ${filterGroups.length}, at most ${MOST_GROUPS}`)
  if (filterGroups.some(({ filters }) => filters.length > MOST_FILTERS))
    throw refuse(`too many filters in a group, at most ${MOST_FILTERS}`)
  if (limit > MOST_A_PAGE) throw refuse(`limit must be at most ${MOST_A_PAGE}`)
  const from = Number(after)
  if (!Number.isInteger(from) || from + limit > MOST_FOUND)
    throw refuse(`at most ${MOST_FOUND} results can be paged through`)
  const unknown = filterGroups
    .flatMap(({ filters }) => filters.map(({ propertyName }) => propertyName))
    .find((name) => !isProperty(state, type, name))
  if (unknown !== undefined) throw refuse(`There was a problem with the request: property ${unknown} does not exist`)
  const visibleSince = state.clock().getTime() - state.searchDelay * 1_000
  const found = recordsOf(state, type)
    // what is new is indexed some seconds later
    .filter(({ createdAt }) => createdAt.getTime() <= visibleSince)
    .filter(
      (record) =>
        filterGroups.length === 0 ||
        filterGroups.some(({ filters }) => filters.every((filter) => holds(record, filter))),
    )
    .filter(
      (record) =>
        query === undefined ||
        SEARCHED.some((name) => record.properties[name]?.toLowerCase().includes(query.toLowerCase())),
    )
    .sort(orderOf(sorts[0]))
  const next = from + limit < found.length ? { next: { after: String(from + limit) } } : undefined
  return {
    total: found.length,
    results: found.slice(from, from + limit).map((record) => presentRecord(record, properties)),
    ...(next && { paging: next }),
  }
}

const isProperty = (state: HubspotState, type: ObjectType, name: string) =>
  ['hs_object_id', 'createdate', 'lastmodifieddate', 'hs_lastmodifieddate'].includes(name) ||
  state.properties[type].some((property) => property.name === name)

const valueOfRecord = (record: HubspotRecord, name: string): string | undefined => {
  if (name === 'hs_object_id') return record.id
  if (name === 'createdate') return String(record.createdAt.getTime())
  return name.endsWith('lastmodifieddate') ? String(record.updatedAt.getTime()) : record.properties[name]
}

function holds(
  record: HubspotRecord,
  { propertyName, operator, value = '', highValue = '', values = [] }: Filter,
): boolean {
  const held = valueOfRecord(record, propertyName)
  const compare = (other: string) => {
    const [a, b] = [Number(held), Number(other)]
    return Number.isNaN(a) || Number.isNaN(b) ? (held ?? '').localeCompare(other) : a - b
  }
  const words = (held ?? '').toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const hasToken = () => {
    const wanted = value.toLowerCase()
    if (!wanted.includes('*')) return wanted.split(/[^\p{L}\p{N}]+/u).every((word) => words.includes(word))
    const part = wanted.replaceAll('*', '')
    return (held ?? '').toLowerCase().includes(part)
  }
  switch (operator) {
    case 'EQ':
      return sameValue(held, value)
    case 'NEQ':
      return !sameValue(held, value)
    case 'IN':
      return values.some((other) => sameValue(held, other))
    case 'NOT_IN':
      return held !== undefined && !values.some((other) => sameValue(held, other))
    case 'HAS_PROPERTY':
      return held !== undefined
    case 'NOT_HAS_PROPERTY':
      return held === undefined
    case 'CONTAINS_TOKEN':
      return held !== undefined && hasToken()
    case 'NOT_CONTAINS_TOKEN':
      return held === undefined || !hasToken()
    case 'LT':
      return held !== undefined && compare(value) < 0
    case 'LTE':
      return held !== undefined && compare(value) <= 0
    case 'GT':
      return held !== undefined && compare(value) > 0
    case 'GTE':
      return held !== undefined && compare(value) >= 0
    case 'BETWEEN':
      return held !== undefined && compare(value) >= 0 && compare(highValue) <= 0
    default:
      throw refuseHubspot(400, 'VALIDATION_ERROR', `${operator} is not an operator`)
  }
}

/** `-createdate` or `createdate`; otherwise in the order of ids. */
function orderOf(sort: string | undefined): (a: HubspotRecord, b: HubspotRecord) => number {
  if (sort === undefined) return (a, b) => Number(a.id) - Number(b.id)
  const name = sort.replace(/^-/, '')
  const sign = sort.startsWith('-') ? -1 : 1
  return (a, b) => {
    const [x, y] = [valueOfRecord(a, name) ?? '', valueOfRecord(b, name) ?? '']
    const byNumber = Number(x) - Number(y)
    return sign * (Number.isNaN(byNumber) ? x.localeCompare(y) : byNumber) || Number(a.id) - Number(b.id)
  }
}
