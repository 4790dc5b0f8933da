import type { Client, Grants, Person } from '../oauth/grants'
import type { SeededRandom } from '../seededRandom'

export type ObjectType = 'contacts' | 'companies' | 'tickets'

export interface HubspotRecord {
  id: string
  type: ObjectType
  /** every value is a text, as HubSpot keeps them */
  properties: Record<string, string>
  createdAt: Date
  updatedAt: Date
  archived: boolean
}

export interface Property {
  name: string
  label: string
  type: 'string' | 'number' | 'date' | 'datetime' | 'enumeration' | 'bool'
  fieldType: string
  options: { label: string; value: string }[]
  /** whether two records may not have the same value */
  unique?: boolean
  /** the account's own rule, which each write is held to */
  required?: boolean
  readOnly?: boolean
  custom?: boolean
}

export interface Pipeline {
  id: string
  label: string
  stages: { id: string; label: string; isClosed: boolean }[]
}

/** One link; HubSpot keeps one of each direction. */
export interface Association {
  from: string
  to: string
  typeId: number
}

/** What the stand-in of HubSpot knows. */
export interface HubspotState {
  hubId: number
  client: Client
  people: readonly Person[]
  grants: Grants
  records: Map<string, HubspotRecord>
  properties: Record<ObjectType, Property[]>
  pipelines: Pipeline[]
  associations: Association[]
  owners: { id: string; email: string; firstName: string; lastName: string }[]
  clock: () => Date
  random: SeededRandom
  /** seconds until a new record is found by search */
  searchDelay: number
  nextId: () => string
}

/** Ids of kinds of links, as HubSpot numbers them: from, to, default and primary. */
export const ASSOCIATION_TYPES: readonly { from: ObjectType; to: ObjectType; typeId: number; primary?: number }[] = [
  { from: 'contacts', to: 'companies', typeId: 279, primary: 1 },
  { from: 'companies', to: 'contacts', typeId: 280, primary: 2 },
  { from: 'contacts', to: 'tickets', typeId: 15 },
  { from: 'tickets', to: 'contacts', typeId: 16 },
  { from: 'tickets', to: 'companies', typeId: 339, primary: 26 },
  { from: 'companies', to: 'tickets', typeId: 340, primary: 25 },
  { from: 'contacts', to: 'contacts', typeId: 449 },
  { from: 'companies', to: 'companies', typeId: 450 },
  { from: 'tickets', to: 'tickets', typeId: 452 },
]

/** The id of each type of object, as in links to records. */
export const TYPE_IDS: Readonly<Record<ObjectType, string>> = { contacts: '0-1', companies: '0-2', tickets: '0-5' }
