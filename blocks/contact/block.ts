import { contactsEffect, type FoundContact } from '../../engine/effects/contacts'
import type { RequestOf } from '../../engine/effects/defineEffect'
import { defineBlock } from '../../engine/flow/defineBlock'
import { call, read, setSystemVariable, setVariable } from '../../engine/flow/steps'
import { contactFields } from '../../engine/values/contactFields'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { renderText, type Variables, variableValue } from '../../engine/values/render'
import { findSystemVariable } from '../../engine/values/systemVariables'
import { type ContactData, contactDefaults, contactSchema, setsFields } from './schema'

/**
 * Creates, finds, updates or deletes a contact of the project. The resulting contact is the visitor's: the system
 * variables `contact_*` are set from it, and cleared when it is deleted.
 */
export const contact = defineBlock({
  kind: 'contact',
  category: 'other',
  title: 'Contact',
  help: 'Creates, finds, updates or deletes a contact.',
  schema: contactSchema,
  defaults: contactDefaults,
  ports: ({ action, onDuplicate }) => [
    { id: 'success', label: 'Success' },
    ...(action === 'create' && onDuplicate === 'skip' ? [{ id: 'duplicate' as const, label: 'Duplicate' }] : []),
    ...(action === 'create' ? [] : [{ id: 'not-found' as const, label: 'Not found' }]),
    { id: 'failure', label: 'Failure' },
  ],
  reads: (data) => [
    ...dynamicValueVariables(data.keyValue),
    ...(setsFields(data) ? data.fields.flatMap(({ name, value }) => [name, value]) : []).flatMap(dynamicValueVariables),
    ...(data.action === 'get' ? data.outputs.flatMap(({ name }) => dynamicValueVariables(name)) : []),
    ...(data.action === 'delete' ? [CONTACT_ID] : []),
  ],
  writes: (data) => [
    CONTACT_ID,
    ...systemFields.map(({ id }) => id),
    ...(data.saveIdTo && data.action !== 'delete' ? [data.saveIdTo] : []),
    ...(data.action === 'get' ? data.outputs.flatMap(({ saveTo }) => saveTo ?? []) : []),
  ],
  *run(data) {
    const variables = yield* read()
    const result = yield* call(contactsEffect, requestOf(data, variables))
    const found = result.contact
    if (data.action === 'delete') {
      if (result.ok && found && variableValue(variables, CONTACT_ID) === found.id) yield* remember(null)
    } else if (found) {
      yield* remember(found)
      if (data.saveIdTo) yield* setVariable(data.saveIdTo, found.id)
      if (data.action === 'get') yield* saveOutputs(data, found, variables)
    }
    if (result.ok) return 'success'
    if (result.error === 'duplicate' && data.action === 'create' && data.onDuplicate === 'skip') return 'duplicate'
    return result.error === 'not-found' && data.action !== 'create' ? 'not-found' : 'failure'
  },
})

const CONTACT_ID = 'sys_contact_id'

/** Contact fields that are system variables. */
const systemFields = contactFields.flatMap((field) => {
  const variable = findSystemVariable(`sys_contact_${field}`)
  return variable ? [{ field, id: variable.id }] : []
})

const ownField = (fields: Record<string, Json>, name: string): Json =>
  Object.hasOwn(fields, name) ? (fields[name] ?? null) : null

function requestOf(data: ContactData, variables: Variables): RequestOf<typeof contactsEffect> {
  const given = (setsFields(data) ? data.fields : []).map(({ field, name, value }) => ({
    isCustom: field === 'custom',
    name: field === 'custom' ? renderText(name, variables).trim() : field,
    value: renderText(value, variables),
  }))
  const named = (isCustom: boolean) =>
    Object.fromEntries(given.filter((each) => each.isCustom === isCustom).map(({ name, value }) => [name, value]))
  return {
    action: data.action,
    key: { field: data.key, value: renderText(data.keyValue, variables) },
    fields: named(false),
    custom: named(true),
    onDuplicate: data.onDuplicate,
  }
}

function* remember(found: FoundContact | null) {
  yield* setSystemVariable(CONTACT_ID, found?.id ?? null)
  for (const { field, id } of systemFields) yield* setSystemVariable(id, ownField(found?.fields ?? {}, field))
}

function* saveOutputs(data: ContactData, found: FoundContact, variables: Variables) {
  for (const { field, name, saveTo } of data.outputs) {
    if (!saveTo) continue
    const custom = field === 'custom'
    const value = custom ? ownField(found.custom, renderText(name, variables).trim()) : ownField(found.fields, field)
    yield* setVariable(saveTo, value)
  }
}
