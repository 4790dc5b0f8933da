import type { crmEffect } from '../effects/crm'
import type { RequestOf } from '../effects/defineEffect'
import { dynamicValueVariables } from '../values/dynamicValue'
import { renderText, type Variables } from '../values/render'
import { finds, linksOf, type RecordData, type RecordRules, sets } from './recordData'

/** The call that a block makes with these values; null if it does not know yet what to do. */
export function recordRequest(
  data: RecordData,
  rules: RecordRules,
  variables: Variables,
): RequestOf<typeof crmEffect> | null {
  const { connection, action, object, findBy, findProperty } = data
  if (!connection) return null
  const by = findBy === 'id' ? 'id' : findProperty?.name
  if (finds(data) && !by) return null
  return {
    ...(rules.vendor && { vendor: rules.vendor }),
    connection,
    action,
    object,
    find: finds(data) && by ? { by, value: renderText(data.findValue, variables) } : null,
    fields: (sets(data) ? data.fields : []).flatMap(({ property, value }) =>
      property ? [{ name: property.name, value: renderText(value, variables) }] : [],
    ),
    links: linksOf(data, rules).flatMap((link) => {
      const id = renderText(link.id, variables).trim()
      return id === '' ? [] : [{ object: link.object, id }]
    }),
    show: [...new Set(data.outputs.flatMap(({ property, saveTo }) => (property && saveTo ? [property.name] : [])))],
  }
}

/** Variables that the call reads. */
export function recordVariables(data: RecordData, rules: RecordRules): string[] {
  const values = [
    ...(finds(data) ? [data.findValue] : []),
    ...(sets(data) ? data.fields.map(({ value }) => value) : []),
    ...linksOf(data, rules).map(({ id }) => id),
  ]
  return [...new Set(values.flatMap(dynamicValueVariables))]
}
