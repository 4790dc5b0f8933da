import { z } from 'zod'
import { type CrmObject, crmObjects } from '../../../../engine/effects/crm'
import { type Choice, choiceCaps } from '../../../contracts/integrations'
import type { ChoiceList, VendorCall } from '../defineVendor'
import { objects, VERSION } from './objects'

const propertiesSchema = z.object({
  results: z.array(
    z.object({
      name: z.string(),
      label: z.string().catch(''),
      type: z.string().catch(''),
      hidden: z.boolean().optional(),
      calculated: z.boolean().optional(),
      modificationMetadata: z.object({ readOnlyValue: z.boolean().catch(false) }).optional(),
      options: z.array(z.object({ value: z.string(), label: z.string().catch('') })).catch([]),
    }),
  ),
})
const pipelinesSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      label: z.string().catch(''),
      stages: z.array(z.object({ id: z.string(), label: z.string().catch('') })).catch([]),
    }),
  ),
})
const ownersSchema = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      email: z.string().nullish(),
      firstName: z.string().nullish(),
      lastName: z.string().nullish(),
    }),
  ),
})

/** Most characters of the values that a property takes, in words. */
const VALUES = 400

/** The properties of an object; those that take certain values say which. */
export const listProperties: ChoiceList = async (call, { settings, within: [object = ''] }) => {
  const kind = crmObjects.find((each) => each === object) ?? 'contact'
  const get = (path: string, query?: Record<string, string>) =>
    call({ method: 'GET', url: `${settings.hubspot.apiUrl}/crm/${path}`, kind: 'read', ...(query && { query }) })
  const { results } = propertiesSchema.parse(await get(`properties/${VERSION}/${objects[kind].path}`))
  const known = await valuesOf(get, kind)
  const shown = results.filter(({ hidden, name }) => !hidden || known.has(name))
  return shown
    .map(({ name, label, options, type }): Choice => {
      const values = known.get(name) ?? options
      const detail =
        values.length > 0
          ? values
              .map((one) => (one.label && one.label !== one.value ? `${one.value} (${one.label})` : one.value))
              .join(', ')
          : (typeHints[type] ?? '')
      return { id: name, label: label || name, ...(detail && { detail: detail.slice(0, VALUES) }) }
    })
    .sort((a, b) => a.label.localeCompare(b.label))
    .slice(0, choiceCaps.most)
}

const typeHints: Readonly<Record<string, string>> = {
  number: '1234.5',
  bool: 'true, false',
  date: '2026-12-31',
  datetime: '2026-12-31T10:00:00Z',
}

interface Value {
  value: string
  label: string
}

/** Values that HubSpot keeps elsewhere: stages of pipelines, and the people who own records. */
async function valuesOf(
  get: (path: string, query?: Record<string, string>) => ReturnType<VendorCall>,
  kind: CrmObject,
): Promise<Map<string, Value[]>> {
  const { results: owners } = ownersSchema.parse(await get(`owners/${VERSION}`, { limit: '100' }))
  const found = new Map<string, Value[]>([
    [
      'hubspot_owner_id',
      owners.map(({ id, email, firstName, lastName }) => ({
        value: id,
        label: [firstName, lastName].filter(Boolean).join(' ') || (email ?? ''),
      })),
    ],
  ])
  if (kind !== 'ticket') return found
  const { results: pipelines } = pipelinesSchema.parse(await get(`pipelines/${VERSION}/tickets`))
  found.set(
    'hs_pipeline',
    pipelines.map(({ id, label }) => ({ value: id, label })),
  )
  found.set(
    'hs_pipeline_stage',
    pipelines.flatMap(({ stages, label }) =>
      stages.map((stage) => ({
        value: stage.id,
        label: pipelines.length > 1 ? `${label}: ${stage.label}` : stage.label,
      })),
    ),
  )
  return found
}
