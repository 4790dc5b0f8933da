import { z } from 'zod'
import type { CrmObject } from '../../../../engine/effects/crm'
import type { Json } from '../../../../engine/values/json'
import type { ServerContext } from '../../../platform/context'
import { VendorError } from '../calls/vendorError'
import type { Crm, CrmField, CrmLink, CrmRecord, CrmRecords, OpenedCrm } from '../crm/crm'
import { createFieldCatalogue, type FieldCatalogue, isFilterable } from './fields'
import { BASE, linkFields, objects } from './objects'
import { isSalesforceId, literalFor, valueFor } from './values'
import { salesforce } from './vendor'

/** Salesforce: nothing is unique unless the organisation says so, and a query finds what was just created. */
export function createSalesforceCrm(context: Pick<ServerContext, 'clock'>): Crm {
  const catalogue = createFieldCatalogue(context)
  return { vendor: salesforce, open: (opened) => openRecords(opened, catalogue), findsAtOnce: true }
}

const createdSchema = z.object({ id: z.string().refine(isSalesforceId) })
const recordSchema = z.record(z.string(), z.custom<Json>())
const foundSchema = z.object({ records: z.array(recordSchema.and(z.object({ Id: z.string() }))) })

/** How many of those that were created meanwhile are looked at. */
const RECENT = 50

function openRecords({ call, object: kind, account }: OpenedCrm, catalogue: FieldCatalogue): CrmRecords {
  const { name: object } = objects[kind]
  const base = `${BASE}/sobjects/${object}`
  const fieldsOf = (names: readonly string[]) => catalogue(call, account.connection, object, names)

  async function query(soql: string) {
    const answer = await call({ method: 'GET', url: `${BASE}/query`, query: { q: soql }, kind: 'read', about: object })
    return foundSchema.parse(answer).records
  }

  /** What is sent: each field as it takes it, and the records that it names. */
  async function bodyOf(given: readonly CrmField[], links: readonly CrmLink[], isNew: boolean) {
    const known = await fieldsOf(given.map(({ name }) => name))
    const body: Record<string, Json> = {}
    for (const { name, value } of given) {
      const field = known.get(name.toLowerCase())
      const sent = field && valueFor(field, value)
      // an empty field of a new record is one that it does not have
      if (field && sent !== undefined && !(isNew && sent === null)) body[field.name] = sent
    }
    for (const link of links) {
      const field = linkFields[kind][link.object]
      if (field) body[field] = idOf(link.object, link.id)
    }
    return body
  }

  async function get(id: string, show: readonly string[]): Promise<CrmRecord | null> {
    const known = await fieldsOf(show)
    const names = ['Id', ...show.map((name) => known.get(name.toLowerCase())?.name ?? name)]
    const url = `${base}/${idOf(kind, id)}`
    const asked = { method: 'GET', url, query: { fields: names.join(',') }, kind: 'read', about: object } as const
    const record = await orNull(call(asked))
    return record === null ? null : present(recordSchema.and(z.object({ Id: z.string() })).parse(record), show)
  }

  return {
    async find({ by, value }, show = []) {
      if (value.trim() === '') return null
      if (by === 'id') return get(value, show)
      const known = await fieldsOf([by, ...show])
      const field = known.get(by.toLowerCase())
      if (!field) return null
      if (!isFilterable(field)) throw new VendorError('refused', `“${field.label}” is too long to be searched.`)
      const literal = literalFor(field, value)
      if (literal === null) return null
      const names = ['Id', ...show.map((name) => known.get(name.toLowerCase())?.name ?? name)]
      const [first] = await query(
        `SELECT ${[...new Set(names)].join(', ')} FROM ${object} WHERE ${field.name} = ${literal} ORDER BY CreatedDate DESC LIMIT 1`,
      )
      return first ? present(first, show) : null
    },

    async update(id, fields, links) {
      const url = `${base}/${idOf(kind, id)}`
      const json = await bodyOf(fields, links, false)
      if (Object.keys(json).length > 0) {
        const sent = { method: 'PATCH', url, json, kind: 'write', isRepeatable: true, about: object } as const
        if ((await orNull(call(sent).then(() => true))) === null) return null
      }
      return { id: id.trim(), properties: {} }
    },

    async create(fields, links) {
      const json = await bodyOf(fields, links, true)
      const answer = await call({ method: 'POST', url: base, json, kind: 'write', about: object })
      return { id: createdSchema.parse(answer).id, properties: {} }
    },

    async put({ by, value }, fields, links) {
      if (by === 'id') return null
      const field = (await fieldsOf([by])).get(by.toLowerCase())
      const key = value.trim()
      // in a path, these would be no value
      if (!field?.externalId || key === '.' || key === '..') return null
      const { [field.name]: _, ...json } = await bodyOf(fields, links, false)
      const url = `${base}/${field.name}/${encodeURIComponent(key)}`
      const about = `${field.label || field.name} “${key}”`
      const answer = await call({ method: 'PATCH', url, json, kind: 'write', isRepeatable: true, about })
      return { id: createdSchema.parse(answer).id, properties: {} }
    },

    async recent(fields, since) {
      const known = await fieldsOf(fields.map(({ name }) => name))
      const given = fields.flatMap(({ name, value }) => {
        const field = known.get(name.toLowerCase())
        return field && value.trim() !== '' ? [{ field, value }] : []
      })
      const conditions = given.flatMap(({ field, value }) => {
        const literal = isFilterable(field) ? literalFor(field, value) : null
        return literal === null ? [] : [`${field.name} = ${literal}`]
      })
      const long = given.filter(({ field }) => !isFilterable(field))
      const rows = await query(
        `SELECT ${['Id', ...long.map(({ field }) => field.name)].join(', ')} FROM ${object} WHERE ${[
          `CreatedDate >= ${since.toISOString()}`,
          ...conditions,
        ].join(' AND ')} ORDER BY CreatedDate LIMIT ${RECENT}`,
      )
      return rows
        .filter((row) => long.every(({ field, value }) => inOneLine(row[field.name]) === inOneLine(value)))
        .map(({ Id }) => Id)
    },

    isUnique: () => false,
    existing: () => null,
    urlOf: (id) => `${account.host ?? ''}/${id}`,
  }
}

/** @throws VendorError bad_id for what is none of that kind, before anything is asked */
function idOf(kind: CrmObject, text: string): string {
  const id = text.trim()
  const { name, prefix } = objects[kind]
  if (!isSalesforceId(id) || !id.startsWith(prefix))
    throw new VendorError(
      'bad_id',
      `“${id}”. One of ${name} has 15 or 18 letters and digits, and begins with ${prefix}.`,
    )
  return id
}

const present = ({ Id, ...values }: Record<string, Json> & { Id: string }, show: readonly string[]): CrmRecord => ({
  id: Id,
  properties: Object.fromEntries(show.map((name) => [name, readAs({ Id, ...values }, name)])),
})
const readAs = (values: Record<string, Json>, name: string): Json =>
  values[name] ?? Object.entries(values).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? null

/** Texts that differ in white space alone: Salesforce changes that of long ones. */
const inOneLine = (text: Json | undefined): string =>
  String(text ?? '')
    .replace(/\s+/g, ' ')
    .trim()

async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return null
    throw error
  }
}
