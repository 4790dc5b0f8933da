import type { RecordKind } from '../pages/records'
import { archiveRecord, createRecord, findRecord, recordsOf, updateRecord } from './records'
import type { HubspotState, ObjectType } from './state'

const TITLES: Readonly<Record<ObjectType, string>> = {
  contacts: 'Contacts',
  companies: 'Companies',
  tickets: 'Tickets',
}
/** Columns of a table, however many properties there are. */
const MOST_COLUMNS = 8

/** @returns a page for contacts, companies and tickets each */
export const hubspotKinds = (state: HubspotState): RecordKind[] =>
  (Object.keys(TITLES) as ObjectType[]).map((type) => ({
    key: type,
    title: TITLES[type],
    columns: [
      { name: 'id', label: 'Id', isFixed: true },
      ...state.properties[type].slice(0, MOST_COLUMNS).map(({ name, label, options, fieldType }) => ({
        name,
        label,
        isLong: fieldType === 'textarea',
        options:
          choicesOf(state, name) ?? (options.length > 0 ? ['', ...options.map(({ value }) => value)] : undefined),
      })),
    ],
    empty: `There are no ${type} yet.`,
    rows: () => recordsOf(state, type).map(({ id, properties }) => ({ id, values: { ...properties, id } })),
    add: (properties) => void createRecord(state, type, { properties }),
    change: (id, properties) => void updateRecord(state, findRecord(state, type, id), { properties }),
    remove: (id) => archiveRecord(state, findRecord(state, type, id)),
  }))

function choicesOf({ pipelines, owners }: HubspotState, name: string): string[] | undefined {
  if (name === 'hs_pipeline') return pipelines.map(({ id }) => id)
  if (name === 'hs_pipeline_stage') return pipelines.flatMap(({ stages }) => stages.map(({ id }) => id))
  return name === 'hubspot_owner_id' ? ['', ...owners.map(({ id }) => id)] : undefined
}
