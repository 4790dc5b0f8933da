import { z } from 'zod'
import { crmCaps } from '../values/crm'
import type { Json } from '../values/json'
import { defineEffect, optional } from './defineEffect'

export const crmObjects = ['contact', 'company', 'ticket'] as const
export type CrmObject = (typeof crmObjects)[number]
export const crmActions = ['create', 'update', 'upsert', 'search'] as const
export type CrmAction = (typeof crmActions)[number]
export const crmVendors = ['hubspot', 'salesforce'] as const
export type CrmVendor = (typeof crmVendors)[number]

const name = z.string().max(crmCaps.property)
/** Longer than any text that a flow renders: the vendor says what is too long. */
const text = z.string().max(200_000)

const crmRequestSchema = z.strictObject({
  /** absent in the requests of HubSpot's blocks, which are older than the choice */
  vendor: z.enum(crmVendors).default('hubspot'),
  /** the project's connection, by its id */
  connection: z.string().regex(/^[a-z0-9]{16}$/, 'This is not a connection'),
  action: z.enum(crmActions),
  object: z.enum(crmObjects),
  /** how a record is found, unless one is created: by a property, or by its `id` */
  find: z.strictObject({ by: name, value: text }).nullable(),
  /** to create and change: by the properties' names; an empty value clears one */
  fields: z.array(z.strictObject({ name, value: text })).max(crmCaps.properties),
  /** records that it is linked to; HubSpot links new ones only */
  links: z.array(z.strictObject({ object: z.enum(crmObjects), id: z.string().max(50) })).max(10),
  /** properties to read */
  show: z.array(name).max(crmCaps.properties),
})

/** Creates, changes or finds a record of a CRM. */
export const crmEffect = defineEffect({
  name: 'crm',
  request: crmRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found`, or a sentence for the editor */
    error: optional(z.string()),
    id: optional(z.string()),
    /** where people open the record */
    url: optional(z.string()),
    /** by name; null: it has none */
    fields: optional(z.record(z.string(), z.custom<Json>())),
  }),
})
export type CrmCall = z.infer<typeof crmRequestSchema>
