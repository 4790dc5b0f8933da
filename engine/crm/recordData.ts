import { z } from 'zod'
import { type CrmObject, type CrmVendor, crmActions, crmObjects } from '../effects/crm'
import { idSchema } from '../flow/schema'
import { caps } from '../values/caps'
import { crmCaps } from '../values/crm'
import {
  dynamicValueLength,
  dynamicValueSchema,
  dynamicValueToString,
  dynamicValueVariables,
  staticValue,
} from '../values/dynamicValue'
import type { Rule } from '../values/rules'

/** What differs by vendor. */
export interface RecordRules {
  /** absent: requests do not name it */
  vendor?: CrmVendor
  /** the rule of a record's id */
  id: (object: CrmObject) => Rule
  /** which records can be named by ids, to link them */
  links: Readonly<Record<CrmObject, readonly RecordLink[]>>
  /** whether records that are there are linked as well as new ones */
  linksExisting: boolean
}
export type RecordLink = Extract<CrmObject, 'contact' | 'company'>

const property = z.string().max(crmCaps.property, `Must not exceed ${crmCaps.property} characters`)
const named = z.strictObject({ name: property, label: z.string().max(500) }).nullable()

/** The schema of a vendor's block. */
export const recordSchema = ({ id }: RecordRules) =>
  z
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
      /** what a record is linked to, by ids */
      contactId: dynamicValueSchema(crmCaps.id, id('contact')),
      companyId: dynamicValueSchema(crmCaps.id, id('company')),
      /** where properties are saved */
      outputs: z
        .array(z.strictObject({ id: idSchema, property: named, saveTo: idSchema.nullable() }))
        .max(crmCaps.properties),
      saveIdTo: idSchema.nullable(),
      saveUrlTo: idSchema.nullable(),
    })
    .superRefine((data, check) => {
      if (!finds(data) || data.findBy !== 'id') return
      const rule = id(data.object)
      if (dynamicValueVariables(data.findValue).length > 0 || dynamicValueLength(data.findValue) === 0) return
      const text = dynamicValueToString(data.findValue, () => '')
      if (!rule.test(text)) check.addIssue({ code: 'custom', path: ['findValue'], message: rule.message })
    })
export type RecordData = z.infer<ReturnType<typeof recordSchema>>
export type NamedProperty = RecordData['findProperty']

/** A new block's data: one that keeps a contact for each address. */
export const recordDefaults = (email: NonNullable<NamedProperty>): RecordData => ({
  object: 'contact',
  action: 'upsert',
  connection: null,
  findBy: 'property',
  findProperty: email,
  findValue: staticValue(''),
  fields: [],
  contactId: staticValue(''),
  companyId: staticValue(''),
  outputs: [],
  saveIdTo: null,
  saveUrlTo: null,
})

type Action = Pick<RecordData, 'action'>
/** Whether the action is about a record that may be there. */
export const finds = ({ action }: Action): boolean => action !== 'create'
/** Whether it sets properties. */
export const sets = ({ action }: Action): boolean => action !== 'search'
/** Whether it may make a new record. */
export const makes = ({ action }: Action): boolean => action === 'create' || action === 'upsert'

/** The ids by which the record is linked, each with what it names. */
export function linksOf(data: RecordData, { links, linksExisting }: RecordRules) {
  if (!(linksExisting ? sets(data) : makes(data))) return []
  const ids = { contact: data.contactId, company: data.companyId }
  return links[data.object].map((object) => ({ object, id: ids[object] }))
}
