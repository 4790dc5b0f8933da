import { z } from 'zod'
import { crmActions, crmObjects } from '../../engine/effects/crm'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { crmCaps } from '../../engine/values/crm'
import {
  dynamicValueLength,
  dynamicValueSchema,
  dynamicValueToString,
  dynamicValueVariables,
  staticValue,
} from '../../engine/values/dynamicValue'
import { idRule, ticketIdRule } from '../../engine/values/rules'

const property = z.string().max(crmCaps.property, `Must not exceed ${crmCaps.property} characters`)
const named = z.strictObject({ name: property, label: z.string().max(500) }).nullable()

export const hubspotRecordSchema = z
  .strictObject({
    object: z.enum(crmObjects),
    action: z.enum(crmActions),
    /** a connection of the project */
    connection: z.string().max(64).nullable(),
    /** how a record is found, unless one is created: by its id, or by a property */
    findBy: z.enum(['id', 'property']),
    findProperty: named,
    findValue: dynamicValueSchema(crmCaps.key),
    /** to create and change; with the label that a property had when it was chosen */
    fields: z
      .array(z.strictObject({ id: idSchema, property: named, value: dynamicValueSchema(caps.setVariable) }))
      .max(crmCaps.properties),
    /** what a new record is linked to, by ids */
    contactId: dynamicValueSchema(crmCaps.id, idRule),
    companyId: dynamicValueSchema(crmCaps.id, idRule),
    /** where properties are saved */
    outputs: z
      .array(z.strictObject({ id: idSchema, property: named, saveTo: idSchema.nullable() }))
      .max(crmCaps.properties),
    saveIdTo: idSchema.nullable(),
    saveUrlTo: idSchema.nullable(),
  })
  .superRefine((data, check) => {
    if (!finds(data) || data.findBy !== 'id') return
    const rule = data.object === 'ticket' ? ticketIdRule : idRule
    if (dynamicValueVariables(data.findValue).length > 0 || dynamicValueLength(data.findValue) === 0) return
    const text = dynamicValueToString(data.findValue, () => '')
    if (!rule.test(text)) check.addIssue({ code: 'custom', path: ['findValue'], message: rule.message })
  })
export type HubspotRecordData = z.infer<typeof hubspotRecordSchema>
export type NamedProperty = HubspotRecordData['findProperty']

export const hubspotRecordDefaults = (): HubspotRecordData => ({
  object: 'contact',
  action: 'upsert',
  connection: null,
  findBy: 'property',
  findProperty: { name: 'email', label: 'Email' },
  findValue: staticValue(''),
  fields: [],
  contactId: staticValue(''),
  companyId: staticValue(''),
  outputs: [],
  saveIdTo: null,
  saveUrlTo: null,
})

type Action = Pick<HubspotRecordData, 'action'>
/** Whether the action is about a record that may be there. */
export const finds = ({ action }: Action): boolean => action !== 'create'
/** Whether it sets properties. */
export const sets = ({ action }: Action): boolean => action !== 'search'
/** Whether it may make a new record. */
export const makes = ({ action }: Action): boolean => action === 'create' || action === 'upsert'
