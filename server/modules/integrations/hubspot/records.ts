import { z } from 'zod'
import type { CrmCall, CrmObject } from '../../../../engine/effects/crm'
import type { VendorSettings } from '../../../platform/config/vendorSettings'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'
import { linkTypes, objects, VERSION } from './objects'

/** A record as HubSpot answers it. */
const recordSchema = z.object({
  id: z.string().max(50),
  properties: z.record(z.string(), z.string().nullable()).catch({}),
  url: z.string().max(2_000).optional(),
})
export type CrmRecord = z.infer<typeof recordSchema>
const foundSchema = z.object({ results: z.array(recordSchema) })

type Field = CrmCall['fields'][number]
const propertiesOf = (fields: readonly Field[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** Calls of one kind of records. */
export function openRecords(
  call: VendorCall,
  { hubspot: { apiUrl } }: Pick<VendorSettings, 'hubspot'>,
  kind: CrmObject,
) {
  const base = `${apiUrl}/crm/objects/${VERSION}/${objects[kind].path}`
  /** People are found by their address at once; search finds what is new some seconds later. */
  const isKey = (by: string) => by === 'id' || (kind === 'contact' && by === 'email')
  const one = ({ by, value }: Found): { url: string; query: Record<string, string> } => ({
    url: `${base}/${encodeURIComponent(value.trim())}`,
    query: by === 'id' ? {} : { idProperty: by },
  })

  /** Null for none. */
  async function get(find: Found, show: readonly string[]): Promise<CrmRecord | null> {
    const { url, query } = one(find)
    const asked = { ...query, ...(show.length > 0 && { properties: show.join(',') }) }
    return orNull(call({ method: 'GET', url, query: asked, kind: 'read' }).then((answer) => recordSchema.parse(answer)))
  }

  /** The newest first. */
  async function search(filters: Filter[], show: readonly string[] = []): Promise<CrmRecord[]> {
    const json = {
      filterGroups: [{ filters: filters.map((filter) => ({ ...filter })) }],
      sorts: ['-createdate'],
      properties: [...show],
      limit: 5,
    }
    const answer = await call({ method: 'POST', url: `${base}/search`, json, kind: 'read', pace: 'search' })
    return foundSchema.parse(answer).results
  }

  return {
    search,

    /** Null for none, and for an empty key: a record without a value is not what is meant. */
    async find(find: Found, show: readonly string[] = []): Promise<CrmRecord | null> {
      if (find.value.trim() === '') return null
      if (isKey(find.by)) return get(find, show)
      const [first] = await search([{ propertyName: find.by, operator: 'EQ', value: find.value.trim() }], show)
      return first ?? null
    },

    /** Null if it is gone. Making the same change twice changes nothing more. */
    update: (id: string, fields: readonly Field[]): Promise<CrmRecord | null> =>
      orNull(
        call({
          method: 'PATCH',
          url: `${base}/${encodeURIComponent(id)}`,
          json: { properties: propertiesOf(fields) },
          kind: 'write',
          isRepeatable: true,
        }).then((answer) => recordSchema.parse(answer)),
      ),

    /** @throws VendorError exists, with the id of the record in its value */
    async create(fields: readonly Field[], links: CrmCall['links']): Promise<CrmRecord> {
      const associations = links.flatMap(({ object, id }) => {
        const associationTypeId = linkTypes[kind][object]
        const types = [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId: associationTypeId ?? 0 }]
        return associationTypeId === undefined ? [] : [{ to: { id: id.trim() }, types }]
      })
      // an empty property of a new record is one that it does not have
      const given = fields.filter(({ value }) => value !== '')
      const json = { properties: propertiesOf(given), ...(associations.length > 0 && { associations }) }
      return recordSchema.parse(await call({ method: 'POST', url: base, json, kind: 'write' }))
    },
  }
}
export type CrmRecords = ReturnType<typeof openRecords>

type Found = NonNullable<CrmCall['find']>
export interface Filter {
  propertyName: string
  operator: 'EQ' | 'GTE'
  value: string
}

/** The id that HubSpot names in its text when a contact exists. */
export const existingId = (error: unknown): string | null =>
  error instanceof VendorError && error.code === 'exists' ? (/ID: (\d+)/.exec(error.value)?.[1] ?? null) : null

async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return null
    throw error
  }
}
