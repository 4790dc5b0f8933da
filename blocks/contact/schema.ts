import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { contactCaps, tooLong } from '../../engine/values/caps'
import {
  type ContactField,
  contactFieldCap,
  contactFieldProblem,
  contactFields,
  contactKeys,
  customFieldCaps,
} from '../../engine/values/contactFields'
import {
  type DynamicValue,
  dynamicValueLength,
  dynamicValueSchema,
  dynamicValueToString,
  dynamicValueVariables,
  staticValue,
} from '../../engine/values/dynamicValue'
import { ruleMessages } from '../../engine/values/rules'

export const contactActions = ['create', 'get', 'update', 'delete'] as const
export const onDuplicateModes = ['update', 'skip', 'new'] as const
/** `custom`: a field of the project's own, which has a name */
export const mappableFields = [...contactFields, 'custom'] as const

const mapped = {
  id: idSchema,
  field: z.enum(mappableFields),
  /** of a custom field alone */
  name: dynamicValueSchema(customFieldCaps.name),
}

export const contactSchema = z
  .strictObject({
    action: z.enum(contactActions),
    /** whom it is about */
    key: z.enum(contactKeys),
    keyValue: dynamicValueSchema(contactCaps.email),
    /** to create: what happens when there is such a contact */
    onDuplicate: z.enum(onDuplicateModes),
    /** to create and to update: what is known */
    fields: z.array(z.strictObject({ ...mapped, value: dynamicValueSchema(customFieldCaps.value) })).max(50),
    /** to get: what is saved where */
    outputs: z.array(z.strictObject({ ...mapped, saveTo: idSchema.nullable() })).max(50),
    /** where the contact's own id goes */
    saveIdTo: idSchema.nullable(),
  })
  .superRefine((data, check) => {
    const refuse = (path: (string | number)[], message: string) => check.addIssue({ code: 'custom', path, message })
    const keyProblem = problemOf(data.key, data.keyValue)
    if (keyProblem) refuse(['keyValue'], keyProblem)
    for (const [index, { field, value, name }] of data.fields.entries()) {
      const problem = field === 'custom' ? null : problemOf(field, value)
      if (problem) refuse(['fields', index, 'value'], problem)
      if (field === 'custom' && isEmptyValue(name)) refuse(['fields', index, 'name'], ruleMessages.text)
    }
    for (const [index, { field, name }] of data.outputs.entries()) {
      if (field === 'custom' && isEmptyValue(name)) refuse(['outputs', index, 'name'], ruleMessages.text)
    }
  })
export type ContactData = z.infer<typeof contactSchema>

export const contactDefaults = (): ContactData => ({
  action: 'create',
  key: 'email',
  keyValue: staticValue(''),
  onDuplicate: 'update',
  fields: [],
  outputs: [],
  saveIdTo: null,
})

/** Does the action set fields? */
export const setsFields = ({ action }: Pick<ContactData, 'action'>): boolean =>
  action === 'create' || action === 'update'

const isEmptyValue = (value: DynamicValue): boolean =>
  dynamicValueLength(value) === 0 && dynamicValueVariables(value).length === 0

/** What is wrong with a value for a field (SPEC.md 5 and 9); what it is made of by variables is checked when it is known. */
function problemOf(field: ContactField, value: DynamicValue): string | null {
  const cap = contactFieldCap(field)
  if (dynamicValueLength(value) > cap) return tooLong(cap)
  return dynamicValueVariables(value).length > 0
    ? null
    : contactFieldProblem(
        field,
        dynamicValueToString(value, () => ''),
      )
}
