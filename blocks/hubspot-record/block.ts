import { crmEffect } from '../../engine/effects/crm'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { call, note, read, setVariable } from '../../engine/flow/steps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { crmRequest, variablesOf } from './request'
import { finds, type HubspotRecordData, hubspotRecordDefaults, hubspotRecordSchema, sets } from './schema'

/** Creates, changes or finds a contact, a company or a ticket in HubSpot. */
export const hubspotRecord = defineBlock({
  kind: 'hubspot-record',
  category: 'other',
  title: 'HubSpot',
  help: 'Creates, updates or finds a contact, company or ticket.',
  schema: hubspotRecordSchema,
  defaults: hubspotRecordDefaults,
  ports: ({ action }) => [
    { id: 'success', label: 'Success' },
    ...(action === 'update' || action === 'search' ? [{ id: 'not-found' as const, label: 'Not found' }] : []),
    { id: 'failure', label: 'Failure' },
  ],
  reads: variablesOf,
  writes: ({ saveIdTo, saveUrlTo, outputs }) =>
    [saveIdTo, saveUrlTo, ...outputs.map(({ property, saveTo }) => property && saveTo)].flatMap((id) => id ?? []),
  connections: ({ connection }) => (connection === null ? [] : [connection]),
  problems: (data) => {
    const found: FieldProblem[] = []
    if (data.connection === null) found.push({ path: 'connection', message: 'Choose a connection' })
    if (finds(data) && data.findBy === 'property' && data.findProperty === null)
      found.push({ path: 'findProperty', message: 'Choose the property to search' })
    if (finds(data) && isBlankValue(data.findValue)) found.push({ path: 'findValue', message: 'Enter what to find' })
    if (sets(data) && data.action !== 'upsert' && data.fields.every(({ property }) => property === null))
      found.push({ path: 'fields', message: 'Add a property' })
    return found
  },
  *run(data) {
    const request = crmRequest(data, yield* read())
    if (!request) {
      yield* note('Choose the connection and what to find in the block’s settings.')
      return 'failure'
    }
    const result = yield* call(crmEffect, request)
    if (result.ok) {
      yield* save(data, result)
      return 'success'
    }
    if (result.error === 'not-found' && (data.action === 'update' || data.action === 'search')) return 'not-found'
    if (result.error) yield* note(result.error)
    return 'failure'
  },
})

function* save(data: HubspotRecordData, { id, url, fields = {} }: Result) {
  if (data.saveIdTo) yield* setVariable(data.saveIdTo, id ?? null)
  if (data.saveUrlTo) yield* setVariable(data.saveUrlTo, url ?? null)
  for (const { property, saveTo } of data.outputs) {
    if (!property || !saveTo) continue
    yield* setVariable(saveTo, Object.hasOwn(fields, property.name) ? (fields[property.name] ?? null) : null)
  }
}

type Result = { id?: string | undefined; url?: string | undefined; fields?: Record<string, Json> | undefined }
