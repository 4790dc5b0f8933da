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
/** `custom`: a custom field of the project, with a name */
export const mappableFields = [...contactFields, 'custom'] as const

const mapped = {
  id: idSchema,
  field: z.enum(mappableFields),
  /** only for a custom field */
  name: dynamicValueSchema(customFieldCaps.name),
}

export const contactSchema = z
  .strictObject({
    action: z.enum(contactActions),
    /** the field that identifies the contact */
    key: z.enum(contactKeys),
    keyValue: dynamicValueSchema(contactCaps.email),
    /** to create: what happens if the contact exists */
    onDuplicate: z.enum(onDuplicateModes),
    /** to create and update: the values */
    fields: z.array(z.strictObject({ ...mapped, value: dynamicValueSchema(customFieldCaps.value) })).max(50),
    /** to get: where values are saved */
    outputs: z.array(z.strictObject({ ...mapped, saveTo: idSchema.nullable() })).max(50),
    /** where the contact's id is saved */
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

/** Whether the action sets fields. */
export const setsFields = ({ action }: Pick<ContactData, 'action'>): boolean =>
  action === 'create' || action === 'update'

const isEmptyValue = (value: DynamicValue): boolean =>
  dynamicValueLength(value) === 0 && dynamicValueVariables(value).length === 0

/** Validates a field's value (SPEC.md 5 and 9); a value with variables is validated after rendering. */
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
