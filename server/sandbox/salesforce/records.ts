import { fieldsOf } from '../call'
import { noSuchField, refuseSalesforce } from './errors'
import { isId, makeId, sameId } from './ids'
import type { Field, SObject } from './schema'
import { recordsOf, type SalesforceRecord, type SalesforceState, type Value } from './state'

/** @throws a Refusal for an id that can't be one, or is no record's of the object */
export function findRecord(state: SalesforceState, sobject: SObject, id: string): SalesforceRecord {
  if (!isId(id)) throw refuseSalesforce(400, 'MALFORMED_ID', `Record ID: id value of incorrect type: ${id}`)
  const found = recordsOf(state, sobject).find((record) => sameId(record.id, id))
  if (!found) throw refuseSalesforce(404, 'NOT_FOUND', 'The requested resource does not exist')
  return found
}

export function createRecord(
  state: SalesforceState,
  sobject: SObject,
  body: unknown,
  savesDuplicates = false,
): SalesforceRecord {
  const values = readValues(state, sobject, body)
  for (const { name, defaultValue } of sobject.fields)
    if (defaultValue !== undefined && (values[name] ?? null) === null) values[name] = defaultValue
  const missing = sobject.fields
    .filter(({ name, required }) => required && isBlank(values[name]))
    .map(({ name }) => name)
  if (missing.length > 0) throw missingFields(missing)
  if (!savesDuplicates) refuseDuplicates(state, sobject, values)
  const now = state.clock()
  const number = state.next()
  const record: SalesforceRecord = {
    id: makeId(sobject.keyPrefix, number),
    sobject: sobject.name,
    values,
    created: now,
    changed: now,
  }
  if (sobject.name === 'Knowledge__kav') fillArticle(values, number, now)
  if (sobject.name === 'Case') values.CaseNumber = String(number).padStart(8, '0')
  state.records.set(record.id, record)
  return record
}

/** What Salesforce gives each article by itself. */
function fillArticle(values: Record<string, Value>, number: number, now: Date): void {
  values.KnowledgeArticleId ??= makeId('kA0', number)
  const title = String(values.Title ?? '')
  values.UrlName ??= title.replace(/[^A-Za-z0-9]+/g, '-').replace(/^-|-$/g, '') || `article-${number}`
  values.LastPublishedDate ??= writeTime(now)
}

export function updateRecord(state: SalesforceState, sobject: SObject, record: SalesforceRecord, body: unknown): void {
  const values = { ...record.values, ...readValues(state, sobject, body) }
  const missing = sobject.fields
    .filter(({ name, required }) => required && isBlank(values[name]))
    .map(({ name }) => name)
  if (missing.length > 0) throw missingFields(missing)
  record.values = values
  record.changed = state.clock()
}

/** @returns records whose external id is that value */
export function findByExternalId(
  state: SalesforceState,
  sobject: SObject,
  field: string,
  value: string,
): SalesforceRecord[] {
  const known = sobject.fields.find(({ name }) => name === field)
  if (!known?.externalId)
    throw refuseSalesforce(404, 'NOT_FOUND', `Provided external ID field does not exist or is not accessible: ${field}`)
  return recordsOf(state, sobject).filter(
    ({ values }) => String(values[field] ?? '').toLowerCase() === value.toLowerCase(),
  )
}

/** @returns a field's value, system fields included; null for an empty one */
export function readField({ id, values, created, changed }: SalesforceRecord, name: string): Value {
  if (name === 'Id') return id
  if (name === 'CreatedDate') return writeTime(created)
  if (name === 'LastModifiedDate') return writeTime(changed)
  return values[name] ?? null
}

/** As Salesforce writes times: `2026-01-01T00:00:00.000+0000` */
export const writeTime = (time: Date): string => time.toISOString().replace('Z', '+0000')

/** @param names default: all fields */
export const presentRecord = (
  record: SalesforceRecord,
  sobject: SObject,
  version: string,
  names?: readonly string[],
) => ({
  attributes: { type: sobject.name, url: `/services/data/${version}/sobjects/${sobject.name}/${record.id}` },
  ...Object.fromEntries(
    (names ?? sobject.fields.map(({ name }) => name)).map((name) => [name, readField(record, name)]),
  ),
})

/** @returns names of fields as the object spells them. @throws a Refusal for one that it has not */
export const fieldNames = (sobject: SObject, names: readonly string[]): string[] =>
  names.map((name) => {
    const found = sobject.fields.find((field) => field.name.toLowerCase() === name.toLowerCase())
    if (!found) throw noSuchField(name, sobject.name)
    return found.name
  })

function readValues(state: SalesforceState, sobject: SObject, body: unknown): Record<string, Value> {
  const values: Record<string, Value> = {}
  for (const [name, given] of Object.entries(fieldsOf(body))) {
    if (name === 'attributes') continue
    if (name === 'Id')
      throw refuseSalesforce(400, 'INVALID_FIELD', 'The Id field should not be specified in the sobject data.', {
        fields: ['Id'],
      })
    const field = sobject.fields.find((known) => known.name.toLowerCase() === name.toLowerCase())
    if (!field) throw noSuchField(name, sobject.name)
    if (field.readOnly)
      throw refuseSalesforce(
        400,
        'INVALID_FIELD_FOR_INSERT_UPDATE',
        `Unable to create/update fields: ${name}. Please check the security settings of this field.`,
        { fields: [field.name] },
      )
    values[field.name] = checkValue(state, field, given as Value)
  }
  return values
}

function checkValue(state: SalesforceState, field: Field, value: Value): Value {
  const refuse = (code: string, message: string) => refuseSalesforce(400, code, message, { fields: [field.name] })
  if (value === null || value === '') return null
  if (field.type === 'boolean' && typeof value !== 'boolean')
    throw refuse('JSON_PARSER_ERROR', `Cannot deserialize instance of boolean from ${JSON.stringify(value)}`)
  if (field.type === 'double' && typeof value !== 'number')
    throw refuse('JSON_PARSER_ERROR', `Cannot deserialize instance of double from ${JSON.stringify(value)}`)
  if (field.type === 'boolean' || field.type === 'double') return value
  if (typeof value !== 'string' && field.type !== 'textarea')
    throw refuse('JSON_PARSER_ERROR', `Cannot deserialize instance of string from ${JSON.stringify(value)}`)
  const text = String(value)
  if (field.length !== undefined && text.length > field.length)
    throw refuse(
      'STRING_TOO_LONG',
      `${field.label}: data value too large: ${text.slice(0, 100)} (max length=${field.length})`,
    )
  if (field.type === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text))
    throw refuse('INVALID_EMAIL_ADDRESS', `${field.label}: invalid email address: ${text}`)
  if (field.restricted && !field.picklist?.includes(text))
    throw refuse(
      'INVALID_OR_NULL_FOR_RESTRICTED_PICKLIST',
      `${field.label}: bad value for restricted picklist field: ${text}`,
    )
  if (field.type === 'reference') {
    if (!isId(text)) throw refuse('MALFORMED_ID', `${field.label}: id value of incorrect type: ${text}`)
    const target = [...state.records.values()].find(({ id }) => sameId(id, text))
    if (!target || !field.referenceTo?.includes(target.sobject))
      throw refuse('INSUFFICIENT_ACCESS_ON_CROSS_REFERENCE_ENTITY', 'insufficient access rights on cross-reference id')
    return target.id
  }
  return text
}

function refuseDuplicates(state: SalesforceState, sobject: SObject, { Email }: Record<string, Value>): void {
  if (!state.duplicateRule || sobject.name !== 'Contact' || isBlank(Email)) return
  const same = recordsOf(state, sobject).filter(
    ({ values }) => String(values.Email).toLowerCase() === String(Email).toLowerCase(),
  )
  if (same.length === 0) return
  const matchRecords = same.map(({ id }) => ({ record: { attributes: { type: 'Contact' }, Id: id } }))
  throw refuseSalesforce(400, 'DUPLICATES_DETECTED', 'Use one of these records?', {
    fields: [],
    duplicateResult: {
      allowSave: true,
      duplicateRule: 'Standard_Contact_Duplicate_Rule',
      matchResults: [{ matchRecords, size: same.length }],
    },
  })
}

const missingFields = (fields: string[]) =>
  refuseSalesforce(400, 'REQUIRED_FIELD_MISSING', `Required fields are missing: [${fields.join(', ')}]`, { fields })

const isBlank = (value: Value | undefined) => value === undefined || value === null || value === ''
