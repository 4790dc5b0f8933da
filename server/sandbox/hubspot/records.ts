import { type Call, fieldsOf, many } from '../call'
import { type AssociationSpec, associate } from './associations'
import { refuseHubspot } from './errors'
import { checkValues, DEFAULT_PROPERTIES } from './properties'
import type { HubspotRecord, HubspotState, ObjectType } from './state'

export interface RecordInput {
  properties?: Record<string, string>
  associations?: { to: { id: string }; types: AssociationSpec[] }[]
}

/** @returns a record of the type that is not archived. @throws a Refusal for none, told as HubSpot tells it */
export function findRecord(state: HubspotState, type: ObjectType, key: string, idProperty = ''): HubspotRecord {
  const found = lookUp(state, type, key, idProperty)
  if (!found) throw refuseHubspot(404, 'OBJECT_NOT_FOUND', `Object not found. objectId are usually numeric: ${key}`)
  return found
}

/** @returns a record by its id, or by a property that is unique; undefined for none */
export function lookUp(state: HubspotState, type: ObjectType, key: string, idProperty = ''): HubspotRecord | undefined {
  if (idProperty === '' || idProperty === 'hs_object_id') {
    const found = state.records.get(key)
    return found && found.type === type && !found.archived ? found : undefined
  }
  if (!state.properties[type].some(({ name, unique }) => name === idProperty && unique))
    throw refuseHubspot(400, 'VALIDATION_ERROR', `${idProperty} is not a unique property`)
  return recordsOf(state, type).find(({ properties }) => sameValue(properties[idProperty], key))
}

export const recordsOf = (state: HubspotState, type: ObjectType): HubspotRecord[] =>
  [...state.records.values()].filter((record) => record.type === type && !record.archived)

export function createRecord(state: HubspotState, type: ObjectType, body: unknown): HubspotRecord {
  const { properties: given = {}, associations = [] } = fieldsOf(body) as RecordInput
  const properties = withoutEmpty(given)
  checkValues(state, type, properties, true)
  requireUnique(state, type, properties)
  const now = state.clock()
  const record: HubspotRecord = {
    id: state.nextId(),
    type,
    properties: type === 'tickets' ? { hs_pipeline: pipelineOf(state, properties), ...properties } : properties,
    createdAt: now,
    updatedAt: now,
    archived: false,
  }
  for (const { to } of associations)
    if (!state.records.has(to.id))
      throw refuseHubspot(400, 'VALIDATION_ERROR', `One or more associations are not valid: ${to.id} does not exist`)
  state.records.set(record.id, record)
  for (const { to, types } of associations) associate(state, record.id, to.id, types)
  return record
}

export function updateRecord(state: HubspotState, record: HubspotRecord, body: unknown): HubspotRecord {
  const { properties = {} } = fieldsOf(body) as RecordInput
  checkValues(state, record.type, properties, false)
  requireUnique(state, record.type, properties, record)
  record.properties = withoutEmpty({ ...record.properties, ...properties })
  record.updatedAt = state.clock()
  return record
}

export function archiveRecord(state: HubspotState, record: HubspotRecord): void {
  record.archived = true
  state.associations = state.associations.filter(({ from, to }) => from !== record.id && to !== record.id)
}

/** Only what is asked for is shown, beside a few properties and the times. */
export function presentRecord(record: HubspotRecord, asked: readonly string[] = []) {
  const { id, type, properties, createdAt, updatedAt, archived } = record
  const names = [...new Set([...(asked.length > 0 ? asked : DEFAULT_PROPERTIES[type])])]
  return {
    id,
    properties: {
      ...Object.fromEntries(names.map((name) => [name, properties[name] ?? null])),
      hs_object_id: id,
      createdate: createdAt.toISOString(),
      [type === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate']: updatedAt.toISOString(),
    },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    archived,
  }
}

/** `?associations=companies`: the ids of linked records by type */
export function presentWithAssociations(state: HubspotState, record: HubspotRecord, query: Call['query']) {
  const wanted = namesOf(query.associations)
  const linked = wanted.flatMap((type) => {
    const results = state.associations
      .filter(({ from, to }) => from === record.id && state.records.get(to)?.type === type)
      .map(({ to, typeId }) => ({ id: to, type: `type_${typeId}` }))
    return results.length > 0 ? [[type, { results }] as const] : []
  })
  return {
    ...presentRecord(record, namesOf(query.properties)),
    ...(linked.length > 0 && { associations: Object.fromEntries(linked) }),
  }
}

/** @returns names that are given as `a,b` or several times */
export const namesOf = (value: string | string[] | undefined): string[] =>
  many(value).flatMap((list) => list.split(',').filter(Boolean))

export const sameValue = (a: string | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase()

function requireUnique(
  state: HubspotState,
  type: ObjectType,
  values: Record<string, string>,
  self?: HubspotRecord,
): void {
  for (const { name } of state.properties[type].filter(({ unique }) => unique)) {
    const value = values[name]
    if (!value) continue
    const other = recordsOf(state, type).find((record) => record !== self && sameValue(record.properties[name], value))
    if (!other) continue
    if (type === 'contacts' && name === 'email')
      throw refuseHubspot(409, 'CONFLICT', `Contact already exists. Existing ID: ${other.id}`)
    throw refuseHubspot(400, 'VALIDATION_ERROR', `Cannot set ${name} to ${value}: record ${other.id} has that value`)
  }
}

/** A stage names its pipeline; without one, it is the first. */
const pipelineOf = ({ pipelines }: HubspotState, { hs_pipeline_stage }: Record<string, string>): string =>
  pipelines.find(({ stages }) => stages.some(({ id }) => id === hs_pipeline_stage))?.id ?? pipelines[0]?.id ?? '0'

const withoutEmpty = (values: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''))
