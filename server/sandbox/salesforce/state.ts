import type { Client, Grants, Person } from '../oauth/grants'
import { refuseSalesforce } from './errors'
import type { SObject } from './schema'

export type Value = string | number | boolean | null

export interface SalesforceRecord {
  id: string
  sobject: string
  values: Record<string, Value>
  created: Date
  changed: Date
}

/** What the stand-in of Salesforce knows. */
export interface SalesforceState {
  client: Client
  people: readonly Person[]
  grants: Grants
  objects: SObject[]
  records: Map<string, SalesforceRecord>
  /** whether a contact with the email of another is refused unless the caller insists */
  duplicateRule: boolean
  /** calls of the last 24 hours that the org may make */
  dailyCalls: number
  clock: () => Date
  origin: () => string
  /** of the next record */
  next: () => number
}

/** @throws a Refusal for an object that the org has not */
export function objectOf({ objects }: SalesforceState, name: string): SObject {
  const found = objects.find((sobject) => sobject.name.toLowerCase() === name.toLowerCase())
  if (!found) throw refuseSalesforce(404, 'NOT_FOUND', 'The requested resource does not exist')
  return found
}

export const recordsOf = ({ records }: SalesforceState, { name }: SObject): SalesforceRecord[] =>
  [...records.values()].filter(({ sobject }) => sobject === name)

/** Runs a write; if it is refused, everything is as it was before. */
export function atomically<T>(state: SalesforceState, write: () => T): T {
  const before = structuredClone([...state.records])
  try {
    return write()
  } catch (error) {
    restore(state, before)
    throw error
  }
}

export function restore({ records }: SalesforceState, before: readonly [string, SalesforceRecord][]): void {
  records.clear()
  for (const [id, record] of before) records.set(id, record)
}
