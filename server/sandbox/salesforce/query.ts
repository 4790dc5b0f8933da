import { type Call, fieldsOf } from '../call'
import { refuseSalesforce } from './errors'
import { fieldNames, presentRecord, readField } from './records'
import { type Condition, compare, fulfils, type Query, readSoql } from './soql'
import { objectOf, recordsOf, type SalesforceRecord, type SalesforceState } from './state'

/** Records of one page. */
const PAGE = 2_000
const LEAST_PAGE = 200

/** `GET query?q=` */
export function runQuery(state: SalesforceState, soql: string, call: Call) {
  return pageOf(state, readSoql(soql), soql, 0, pageSize(call), versionOf(call))
}

/** `GET query/{locator}`: the next page; a locator is the place and the query, which is run again */
export function continueQuery(state: SalesforceState, locator: string, call: Call) {
  const [from = '', size = '', soql = ''] = Buffer.from(locator, 'base64url').toString().split('\n')
  if (!/^\d+$/.test(from)) throw refuseSalesforce(400, 'INVALID_QUERY_LOCATOR', 'invalid query locator')
  return pageOf(state, readSoql(soql), soql, Number(from), Number(size), versionOf(call))
}

function pageOf(state: SalesforceState, query: Query, soql: string, from: number, size: number, version: string) {
  const sobject = state.objects.find(({ name }) => name.toLowerCase() === query.from.toLowerCase())
  if (!sobject) throw refuseSalesforce(400, 'INVALID_TYPE', `sObject type '${query.from}' is not supported.`)
  const names = fieldNames(sobject, query.fields)
  const spelled = (name: string) => fieldNames(sobject, [name])[0] ?? name
  checkNames(query.where, spelled)
  const found = recordsOf(state, sobject)
    .filter((record) => query.where === null || fulfils(query.where, (name) => readField(record, spelled(name))))
    .sort(orderOf(query, spelled))
    .slice(query.offset, query.limit === null ? undefined : query.offset + query.limit)
  const page = found.slice(from, from + size)
  const done = from + size >= found.length
  const locator = Buffer.from(`${from + size}\n${size}\n${soql.replaceAll('\n', ' ')}`).toString('base64url')
  return {
    totalSize: found.length,
    done,
    ...(!done && { nextRecordsUrl: `/services/data/${version}/query/${locator}` }),
    records: page.map((record) => presentRecord(record, sobject, version, names)),
  }
}

/** An unknown field is refused though no record has to be compared. */
function checkNames(condition: Condition | null, spelled: (name: string) => string): void {
  if (condition === null) return
  if (condition.kind === 'compare') spelled(condition.field)
  else if (condition.kind === 'not') checkNames(condition.part, spelled)
  else for (const part of condition.parts) checkNames(part, spelled)
}

function orderOf({ orderBy }: Query, spelled: (name: string) => string) {
  return (a: SalesforceRecord, b: SalesforceRecord): number => {
    for (const { field, descending } of orderBy) {
      const order = compare(readField(a, spelled(field)), readField(b, spelled(field)))
      if (order !== 0) return descending ? -order : order
    }
    return 0
  }
}

/** `POST parameterizedSearch`: whole words at the beginning, in any text field */
export function search(state: SalesforceState, body: unknown, version: string) {
  const {
    q,
    sobjects = [],
    fields,
    overallLimit,
    defaultLimit,
  } = fieldsOf(body) as {
    q: string
    sobjects?: { name: string; fields?: string[]; limit?: number }[]
    fields?: string[]
    overallLimit?: number
    defaultLimit?: number
  }
  if (q.trim().length < 2)
    throw refuseSalesforce(400, 'MALFORMED_SEARCH', 'search term must be longer than one character')
  const words = q.toLowerCase().split(/\s+/)
  const wanted =
    sobjects.length > 0 ? sobjects : state.objects.map(({ name }) => ({ name, fields: undefined, limit: undefined }))
  const searchRecords = wanted.flatMap((one) => {
    const sobject = objectOf(state, one.name)
    const names = fieldNames(sobject, one.fields ?? fields ?? ['Id'])
    return recordsOf(state, sobject)
      .filter(({ values }) => {
        const text = ` ${Object.values(values).join(' ').toLowerCase()}`
        return words.every((word) => text.includes(` ${word}`))
      })
      .slice(0, one.limit ?? defaultLimit)
      .map((record) => presentRecord(record, sobject, version, names))
  })
  return { searchRecords: searchRecords.slice(0, overallLimit) }
}

const versionOf = ({ params }: Call) => params.version ?? ''

function pageSize({ headers }: Call): number {
  const asked = /batchSize=(\d+)/.exec(String(headers['sforce-query-options'] ?? ''))?.[1]
  return asked === undefined ? PAGE : Math.min(PAGE, Math.max(LEAST_PAGE, Number(asked)))
}
