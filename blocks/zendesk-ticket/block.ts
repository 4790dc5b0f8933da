import { ticketEffect } from '../../engine/effects/ticket'
import { defineBlock, type FieldProblem } from '../../engine/flow/defineBlock'
import { call, note, read, setVariable } from '../../engine/flow/steps'
import { isBlankValue } from '../../engine/values/dynamicValue'
import { ticketRequest, variablesOf } from './request'
import { finds, UNSET, type ZendeskTicketData, zendeskTicketDefaults, zendeskTicketSchema } from './schema'

/** Creates, changes or looks up a ticket in Zendesk. */
export const zendeskTicket = defineBlock({
  kind: 'zendesk-ticket',
  category: 'other',
  title: 'Zendesk ticket',
  help: 'Creates, updates or looks up a ticket.',
  schema: zendeskTicketSchema,
  defaults: zendeskTicketDefaults,
  migrations: [
    { name: 'AddGroupBrandAndForm', up: (data) => ({ ...data, group: null, brand: null, form: null }) },
    { name: 'AddFiles', up: (data) => ({ ...data, filesId: null }) },
  ],
  ports: (data) => [
    { id: 'success', label: 'Success' },
    ...(finds(data) ? [{ id: 'not-found' as const, label: 'Not found' }] : []),
    { id: 'failure', label: 'Failure' },
  ],
  reads: variablesOf,
  writes: ({ saveIdTo, saveUrlTo, saveStatusTo }) => [saveIdTo, saveUrlTo, saveStatusTo].flatMap((id) => id ?? []),
  connections: ({ connection }) => (connection === null ? [] : [connection]),
  problems: (data) => {
    const found: FieldProblem[] = []
    if (data.connection === null) found.push({ path: 'connection', message: 'Choose a connection' })
    if (finds(data) && isBlankValue(data.ticketId)) found.push({ path: 'ticketId', message: 'Enter the ticket’s ID' })
    if (data.action === 'create' && isBlankValue(data.body))
      found.push({ path: 'body', message: 'Enter a description' })
    if (data.action === 'update' && data.filesId !== null && isBlankValue(data.body))
      found.push({ path: 'body', message: 'Enter a text: files are attached to one' })
    else if (data.action === 'update' && changesNothing(data))
      found.push({ path: 'body', message: 'Enter what to change' })
    return found
  },
  *run(data) {
    const request = ticketRequest(data, yield* read())
    if (!request) {
      yield* note('Choose the connection in the block’s settings.')
      return 'failure'
    }
    const { ok, error, id, url, status } = yield* call(ticketEffect, request)
    if (ok) {
      if (data.saveIdTo) yield* setVariable(data.saveIdTo, id ?? null)
      if (data.saveUrlTo) yield* setVariable(data.saveUrlTo, url ?? null)
      if (data.saveStatusTo) yield* setVariable(data.saveStatusTo, status ?? null)
      return 'success'
    }
    if (error === 'not-found' && finds(data)) return 'not-found'
    if (error) yield* note(error)
    return 'failure'
  },
})

const changesNothing = ({
  subject,
  body,
  tags,
  priority,
  type,
  status,
  group,
  brand,
  form,
  fields,
}: ZendeskTicketData): boolean =>
  [subject, body, tags].every(isBlankValue) &&
  [priority, type, status].every((each) => each === UNSET) &&
  [group, brand, form].every((each) => each === null) &&
  fields.every(({ field }) => field === null)
