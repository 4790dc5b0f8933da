import { z } from 'zod'
import { VendorError } from '../calls/vendorError'
import type { Crm, CrmField, CrmFind, CrmRecord, CrmRecords, OpenedCrm } from '../crm/crm'
import { linkTypes, objects, VERSION } from './objects'
import { hubspot } from './vendor'

/** A record as HubSpot answers it. */
const recordSchema = z.object({
  id: z.string().max(50),
  properties: z.record(z.string(), z.string().nullable()).catch({}),
  url: z.string().max(2_000).optional(),
})
const foundSchema = z.object({ results: z.array(recordSchema) })

const propertiesOf = (fields: readonly CrmField[]) => Object.fromEntries(fields.map(({ name, value }) => [name, value]))

/** HubSpot: a contact exists once by its email, and search finds what is new some seconds later. */
export const hubspotCrm: Crm = { vendor: hubspot, open: openRecords, findsAtOnce: false }

function openRecords({ call, settings, object: kind, account }: OpenedCrm): CrmRecords {
  const { appUrl, apiUrl } = settings.hubspot
  const base = `${apiUrl}/crm/objects/${VERSION}/${objects[kind].path}`
  /** People are found by their address at once; search finds what is new some seconds later. */
  const isKey = (by: string) => by === 'id' || (kind === 'contact' && by === 'email')
  const one = ({ by, value }: CrmFind): { url: string; query: Record<string, string> } => ({
    url: `${base}/${encodeURIComponent(value.trim())}`,
    query: by === 'id' ? {} : { idProperty: by },
  })

  /** Null for none. */
  async function get(find: CrmFind, show: readonly string[]): Promise<CrmRecord | null> {
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
    async find(find, show = []) {
      if (find.value.trim() === '') return null
      if (isKey(find.by)) return get(find, show)
      const [first] = await search([{ propertyName: find.by, operator: 'EQ', value: find.value.trim() }], show)
      return first ?? null
    },

    update: (id, fields) =>
      orNull(
        call({
          method: 'PATCH',
          url: `${base}/${encodeURIComponent(id)}`,
          json: { properties: propertiesOf(fields) },
          kind: 'write',
          isRepeatable: true,
        }).then((answer) => recordSchema.parse(answer)),
      ),

    async create(fields, links) {
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

    async recent(fields, since) {
      const same = fields.filter(({ value }) => value !== '').slice(0, 4)
      const created = { propertyName: 'createdate', operator: 'GTE', value: String(since.getTime()) } as const
      const filters = same.map(({ name, value }) => ({ propertyName: name, operator: 'EQ' as const, value }))
      return (await search([...filters, created])).map(({ id }) => id)
    },

    isUnique: (fields) => kind === 'contact' && fields.some(({ name, value }) => name === 'email' && value !== ''),
    existing: existingId,
    urlOf: (id) => `${appUrl}/contacts/${account.id}/record/${objects[kind].type}/${id}`,
  }
}

interface Filter {
  propertyName: string
  operator: 'EQ' | 'GTE'
  value: string
}

/** The id that HubSpot names in its text when a contact exists. */
const existingId = (error: unknown): string | null =>
  error instanceof VendorError && error.code === 'exists' ? (/ID: (\d+)/.exec(error.value)?.[1] ?? null) : null

async function orNull<Value>(work: Promise<Value>): Promise<Value | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof VendorError && error.code === 'not_found') return null
    throw error
  }
}
