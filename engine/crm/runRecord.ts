import { crmEffect } from '../effects/crm'
import type { ResultOf } from '../effects/defineEffect'
import type { FieldProblem, Port } from '../flow/defineBlock'
import { call, note, read, setVariable } from '../flow/steps'
import { isBlankValue } from '../values/dynamicValue'
import { finds, linksOf, type RecordData, type RecordRules, sets } from './recordData'
import { recordRequest, recordVariables } from './recordRequest'

export type RecordPort = 'success' | 'not-found' | 'failure'

/** What a block of a CRM is made of, but for its name, texts and schema. */
export const recordBlock = (rules: RecordRules) => ({
  category: 'other' as const,
  ports: ({ action }: RecordData): Port<RecordPort>[] => [
    { id: 'success', label: 'Success' },
    ...(action === 'update' || action === 'search' ? [{ id: 'not-found' as const, label: 'Not found' }] : []),
    { id: 'failure', label: 'Failure' },
  ],
  reads: (data: RecordData) => recordVariables(data, rules),
  writes: ({ saveIdTo, saveUrlTo, outputs }: RecordData) =>
    [saveIdTo, saveUrlTo, ...outputs.map(({ property, saveTo }) => property && saveTo)].flatMap((id) => id ?? []),
  connections: ({ connection }: RecordData) => (connection === null ? [] : [connection]),

  problems(data: RecordData): FieldProblem[] {
    const found: FieldProblem[] = []
    if (data.connection === null) found.push({ path: 'connection', message: 'Choose a connection' })
    if (finds(data) && data.findBy === 'property' && data.findProperty === null)
      found.push({ path: 'findProperty', message: 'Choose the property to search' })
    if (finds(data) && isBlankValue(data.findValue)) found.push({ path: 'findValue', message: 'Enter what to find' })
    const links = rules.linksExisting ? linksOf(data, rules) : []
    const isEmpty = data.fields.every(({ property }) => property === null) && links.every(({ id }) => isBlankValue(id))
    if (sets(data) && data.action !== 'upsert' && isEmpty) found.push({ path: 'fields', message: 'Add a property' })
    return found
  },

  *run(data: RecordData) {
    const request = recordRequest(data, rules, yield* read())
    if (!request) {
      yield* note('Choose the connection and what to find in the block’s settings.')
      return 'failure' as const
    }
    const result = yield* call(crmEffect, request)
    if (result.ok) {
      yield* save(data, result)
      return 'success' as const
    }
    const mayMiss = data.action === 'update' || data.action === 'search'
    if (result.error === 'not-found' && mayMiss) return 'not-found' as const
    if (result.error) yield* note(result.error)
    return 'failure' as const
  },
})

function* save(data: RecordData, { id, url, fields = {} }: ResultOf<typeof crmEffect>) {
  if (data.saveIdTo) yield* setVariable(data.saveIdTo, id ?? null)
  if (data.saveUrlTo) yield* setVariable(data.saveUrlTo, url ?? null)
  for (const { property, saveTo } of data.outputs) {
    if (!property || !saveTo) continue
    yield* setVariable(saveTo, Object.hasOwn(fields, property.name) ? (fields[property.name] ?? null) : null)
  }
}
