import type { crmEffect } from '../../engine/effects/crm'
import type { RequestOf } from '../../engine/effects/defineEffect'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import { renderText, type Variables } from '../../engine/values/render'
import { finds, type HubspotRecordData, makes, sets } from './schema'

/** The call that a block makes with these values; null if it does not know yet what to do. */
export function crmRequest(data: HubspotRecordData, variables: Variables): RequestOf<typeof crmEffect> | null {
  const { connection, action, object, findBy, findProperty } = data
  if (!connection) return null
  const by = findBy === 'id' ? 'id' : findProperty?.name
  if (finds(data) && !by) return null
  return {
    connection,
    action,
    object,
    find: finds(data) && by ? { by, value: renderText(data.findValue, variables) } : null,
    fields: (sets(data) ? data.fields : []).flatMap(({ property, value }) =>
      property ? [{ name: property.name, value: renderText(value, variables) }] : [],
    ),
    links: makes(data)
      ? linksOf(data).flatMap(([linked, value]) => {
          const id = renderText(value, variables).trim()
          return id === '' ? [] : [{ object: linked, id }]
        })
      : [],
    show: [...new Set(data.outputs.flatMap(({ property, saveTo }) => (property && saveTo ? [property.name] : [])))],
  }
}

/** What a new record of this kind can be linked to. */
export function linksOf({ object, contactId, companyId }: HubspotRecordData) {
  const contact = ['contact', contactId] as const
  const company = ['company', companyId] as const
  if (object === 'contact') return [company]
  return object === 'company' ? [contact] : [contact, company]
}

/** Variables that the call reads. */
export function variablesOf(data: HubspotRecordData): string[] {
  const values = [
    ...(finds(data) ? [data.findValue] : []),
    ...(sets(data) ? data.fields.map(({ value }) => value) : []),
    ...(makes(data) ? linksOf(data).map(([, value]) => value) : []),
  ]
  return [...new Set(values.flatMap(dynamicValueVariables))]
}
