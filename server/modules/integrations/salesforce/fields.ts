import { z } from 'zod'
import type { ServerContext } from '../../../platform/context'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'
import { BASE } from './objects'

const fieldSchema = z.object({
  name: z.string().max(200),
  label: z.string().catch(''),
  type: z.string().catch(''),
  length: z.number().catch(0),
  nillable: z.boolean().catch(true),
  createable: z.boolean().catch(true),
  updateable: z.boolean().catch(true),
  defaultedOnCreate: z.boolean().catch(false),
  externalId: z.boolean().catch(false),
  /** `richtextarea` where it holds HTML */
  extraTypeInfo: z.string().nullish().catch(null),
  filterable: z.boolean().optional().catch(undefined),
  restrictedPicklist: z.boolean().catch(false),
  referenceTo: z.array(z.string()).catch([]),
  picklistValues: z
    .array(z.object({ value: z.string(), label: z.string().nullish(), active: z.boolean().catch(true) }))
    .catch([]),
})
export type Field = z.infer<typeof fieldSchema>

const describedSchema = z.object({
  fields: z.array(fieldSchema),
  recordTypeInfos: z
    .array(
      z.object({
        recordTypeId: z.string(),
        name: z.string().catch(''),
        available: z.boolean().catch(true),
        master: z.boolean().catch(false),
      }),
    )
    .catch([]),
})
export type Described = z.infer<typeof describedSchema>

/** A described object of an organisation with many fields. */
const MOST_BYTES = 8_000_000

/** What Salesforce says of an object: its fields, with types and values. */
export const describe = async (call: VendorCall, object: string): Promise<Described> =>
  describedSchema.parse(
    await call({
      method: 'GET',
      url: `${BASE}/sobjects/${object}/describe`,
      kind: 'read',
      maxBytes: MOST_BYTES,
      about: object,
    }),
  )

/** Whether texts can be compared with it: long ones can't. */
export const isFilterable = ({ filterable, type }: Field): boolean =>
  filterable ?? !['textarea', 'base64', 'address', 'location', 'encryptedstring'].includes(type)

/** Whether a new record has to be given it. */
export const isRequired = ({ createable, nillable, defaultedOnCreate, type }: Field): boolean =>
  createable && !nillable && !defaultedOnCreate && type !== 'boolean'

/** Descriptions are kept so long, in ms, and so many. */
const FRESH = 10 * 60_000
/** One that lacks a field is asked for again, but not sooner. */
const LEAST = 30_000
const MOST = 100

/** Fields by their names. */
export type Fields = ReadonlyMap<string, Field>

/** Keeps descriptions for a while: each costs one of the calls that an organisation has in a day. */
export function createFieldCatalogue({ clock }: Pick<ServerContext, 'clock'>) {
  const known = new Map<string, { at: number; fields: Fields }>()

  async function read(call: VendorCall, key: string, object: string): Promise<Fields> {
    const { fields } = await describe(call, object)
    const byName = new Map(fields.map((field) => [field.name.toLowerCase(), field]))
    known.delete(key)
    known.set(key, { at: clock().getTime(), fields: byName })
    const [oldest] = known.size > MOST ? known.keys() : []
    if (oldest !== undefined) known.delete(oldest)
    return byName
  }

  /** The fields of an object, all of `names` among them. @throws VendorError field_missing */
  return async (call: VendorCall, connection: string, object: string, names: readonly string[]): Promise<Fields> => {
    const key = `${connection} ${object}`
    const lacks = (fields: Fields) => names.find((name) => !fields.has(name.toLowerCase()))
    const kept = known.get(key)
    const age = kept ? clock().getTime() - kept.at : Number.POSITIVE_INFINITY
    const isUsable = kept && (age < LEAST || (age < FRESH && lacks(kept.fields) === undefined))
    const fields = isUsable ? kept.fields : await read(call, key, object)
    const missing = lacks(fields)
    if (missing !== undefined) throw new VendorError('field_missing', `“${missing}” of ${object}`)
    return fields
  }
}
export type FieldCatalogue = ReturnType<typeof createFieldCatalogue>
