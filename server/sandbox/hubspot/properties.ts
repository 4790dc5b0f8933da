import { fieldsOf } from '../call'
import { refuseHubspot, refuseProperty } from './errors'
import type { HubspotState, ObjectType, Property } from './state'

const text = (name: string, label: string, more: Partial<Property> = {}): Property => ({
  name,
  label,
  type: 'string',
  fieldType: 'text',
  options: [],
  ...more,
})
const choice = (name: string, label: string, ...values: [value: string, label: string][]): Property => ({
  name,
  label,
  type: 'enumeration',
  fieldType: 'select',
  options: values.map(([value, shown]) => ({ value, label: shown })),
})

/** The properties of a new account, as far as chatbots fill them in. */
export const newProperties = (): Record<ObjectType, Property[]> => ({
  contacts: [
    text('email', 'Email', { unique: true }),
    text('firstname', 'First name'),
    text('lastname', 'Last name'),
    text('phone', 'Phone number'),
    text('company', 'Company name'),
    text('jobtitle', 'Job title'),
    text('website', 'Website URL'),
    text('address', 'Street address'),
    text('city', 'City'),
    text('state', 'State or region'),
    text('zip', 'Postal code'),
    text('country', 'Country or region'),
    choice(
      'lifecyclestage',
      'Lifecycle stage',
      ['subscriber', 'Subscriber'],
      ['lead', 'Lead'],
      ['customer', 'Customer'],
    ),
    text('hubspot_owner_id', 'Contact owner'),
  ],
  companies: [
    text('name', 'Company name'),
    text('domain', 'Company domain name'),
    text('phone', 'Phone number'),
    text('website', 'Website URL'),
    text('industry', 'Industry'),
    text('numberofemployees', 'Number of employees', { type: 'number', fieldType: 'number' }),
    text('hubspot_owner_id', 'Company owner'),
  ],
  tickets: [
    text('subject', 'Ticket name'),
    text('content', 'Ticket description', { fieldType: 'textarea' }),
    text('hs_pipeline', 'Pipeline'),
    text('hs_pipeline_stage', 'Ticket status', { required: true }),
    choice(
      'hs_ticket_priority',
      'Priority',
      ['LOW', 'Low'],
      ['MEDIUM', 'Medium'],
      ['HIGH', 'High'],
      ['URGENT', 'Urgent'],
    ),
    text('hubspot_owner_id', 'Ticket owner'),
  ],
})

/** What every answer shows without being asked. */
export const DEFAULT_PROPERTIES: Readonly<Record<ObjectType, readonly string[]>> = {
  contacts: ['email', 'firstname', 'lastname'],
  companies: ['name', 'domain'],
  tickets: ['subject', 'content', 'hs_pipeline', 'hs_pipeline_stage', 'hs_ticket_priority'],
}

/** @throws a Refusal for a property that is not there, and for values that it can't have */
export function checkValues(
  state: HubspotState,
  type: ObjectType,
  values: Record<string, string>,
  isNew: boolean,
): void {
  const known = state.properties[type]
  for (const [name, value] of Object.entries(values)) {
    const property = known.find((other) => other.name === name)
    if (!property) throw refuseProperty('PROPERTY_DOESNT_EXIST', `Property "${name}" does not exist`, name)
    if (property.readOnly) throw refuseProperty('READ_ONLY_VALUE', `"${name}" is a read only property`, name)
    if (value !== '') checkValue(state, property, value)
  }
  const missing = known.find(({ name, required }) => required && (isNew ? !values[name] : values[name] === ''))
  if (missing)
    throw refuseHubspot(400, 'VALIDATION_ERROR', 'Error creating object. Some required properties were not set.', [
      {
        message: `Error creating ${type}. Required properties are missing`,
        code: 'MISSING_REQUIRED_PROPERTY',
        context: { properties: [missing.name] },
      },
    ])
}

function checkValue(state: HubspotState, { name, type, options }: Property, value: string): void {
  if (type === 'number' && !/^-?\d+(\.\d+)?$/.test(value))
    throw refuseProperty('INVALID_INTEGER', `"${value}" was not a valid number`, name)
  if (type === 'bool' && !/^(true|false)$/.test(value))
    throw refuseProperty('INVALID_BOOLEAN', `"${value}" was not a valid boolean`, name)
  if ((type === 'date' || type === 'datetime') && Number.isNaN(Date.parse(value)) && !/^\d+$/.test(value))
    throw refuseProperty('INVALID_DATE', `"${value}" was not a valid date`, name)
  if (options.length > 0 && !options.some((option) => option.value === value))
    throw refuseProperty(
      'INVALID_OPTION',
      `"${value}" was not one of the allowed options: [${options.map((option) => option.value).join(', ')}]`,
      name,
    )
  if (name === 'email' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value))
    throw refuseProperty('INVALID_EMAIL', `Email address ${value} is invalid`, name)
  if (name === 'hubspot_owner_id' && !state.owners.some(({ id }) => id === value))
    throw refuseProperty('INVALID_OWNER_ID', `Owner ${value} does not exist`, name)
  if (name === 'hs_pipeline_stage' && !state.pipelines.some(({ stages }) => stages.some(({ id }) => id === value)))
    throw refuseProperty('INVALID_STAGE', `"${value}" is not a valid pipeline stage`, name)
  if (name === 'hs_pipeline' && !state.pipelines.some(({ id }) => id === value))
    throw refuseProperty('INVALID_PIPELINE', `"${value}" is not a valid pipeline`, name)
}

export const presentProperty = (property: Property) => ({
  name: property.name,
  label: property.label,
  description: '',
  type: property.type,
  fieldType: property.fieldType,
  groupName: property.custom ? 'custom' : 'information',
  options: property.options.map((option, at) => ({ ...option, displayOrder: at, hidden: false })),
  hasUniqueValue: property.unique ?? false,
  hidden: false,
  hubspotDefined: !property.custom,
  calculated: false,
  externalOptions: false,
  formField: true,
  displayOrder: -1,
  modificationMetadata: {
    archivable: property.custom ?? false,
    readOnlyDefinition: !property.custom,
    readOnlyValue: property.readOnly ?? false,
  },
})

export function addProperty(state: HubspotState, type: ObjectType, body: unknown): Property {
  const {
    name,
    label,
    type: kind,
    fieldType,
    options = [],
    hasUniqueValue,
  } = fieldsOf(body) as {
    name: string
    label: string
    type: Property['type']
    fieldType: string
    options?: { label: string; value: string }[]
    hasUniqueValue?: boolean
  }
  if (state.properties[type].some((other) => other.name === name))
    throw refuseHubspot(409, 'OBJECT_ALREADY_EXISTS', `A property named '${name}' already exists.`)
  const added: Property = {
    name,
    label,
    type: kind,
    fieldType,
    options: options.map(({ label: shown, value }) => ({ label: shown, value })),
    unique: hasUniqueValue,
    custom: true,
  }
  state.properties[type].push(added)
  return added
}
