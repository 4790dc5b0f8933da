import type { RequestOf } from '../../engine/effects/defineEffect'
import type { ticketEffect } from '../../engine/effects/ticket'
import { caps, counts } from '../../engine/values/caps'
import { dynamicValueVariables } from '../../engine/values/dynamicValue'
import type { Json } from '../../engine/values/json'
import { renderText, type Variables } from '../../engine/values/render'
import { ticketCaps } from '../../engine/values/tickets'
import { finds, sets, UNSET, type ZendeskTicketData } from './schema'

/** The call that a block makes with these values; null if it does not know yet what to do. */
export function ticketRequest(data: ZendeskTicketData, variables: Variables): RequestOf<typeof ticketEffect> | null {
  const { connection, action } = data
  if (!connection) return null
  const writes = sets(data)
  const written = (value: ZendeskTicketData['subject']) => (writes ? renderText(value, variables) : '')
  const isNew = action === 'create'
  return {
    connection,
    action,
    ticket: finds(data) ? renderText(data.ticketId, variables) : '',
    subject: written(data.subject),
    comment: { body: written(data.body), public: data.visibility === 'public' },
    requester: {
      name: isNew ? written(data.requesterName) : '',
      email: isNew ? written(data.requesterEmail) : '',
    },
    priority: writes && data.priority !== UNSET ? data.priority : null,
    type: writes && data.type !== UNSET ? data.type : null,
    status: writes && data.status !== UNSET ? data.status : null,
    ...(writes && placeOf(data)),
    ...(writes && data.filesId && { files: addressesIn(variables[data.filesId]) }),
    tags: tagsOf(written(data.tags)),
    fields: (writes ? data.fields : []).flatMap(({ field, value }) => {
      if (!field) return []
      const [id = '', type = 'text'] = field.id.split(':')
      return [{ field: id, type, value: renderText(value, variables) }]
    }),
  }
}

/** What is not chosen is left out. */
const placeOf = ({ group, brand, form }: ZendeskTicketData) => ({
  ...(group && { group: group.id }),
  ...(brand && { brand: brand.id }),
  ...(form && { form: form.id }),
})

/** A question saves an address, or a list of some; a list that was printed has signs around them. */
const addressesIn = (value: Json | undefined): string[] => {
  const texts = (Array.isArray(value) ? value : [value]).map((one) => (typeof one === 'string' ? one : ''))
  const addresses = texts.flatMap((text) => text.split(/[\s,"[\]]+/)).filter((text) => text !== '')
  return [...new Set(addresses)].slice(0, counts.files)
}

/** Zendesk's tags have no spaces. */
const tagsOf = (text: string): string[] => {
  const tags = text.split(',').map((tag) => tag.trim().replace(/\s+/g, '_').slice(0, caps.requester))
  return [...new Set(tags.filter((tag) => tag !== ''))].slice(0, ticketCaps.tags)
}

/** Variables that the call reads. */
export function variablesOf(data: ZendeskTicketData): string[] {
  const values = [
    ...(finds(data) ? [data.ticketId] : []),
    ...(sets(data) ? [data.subject, data.body, data.tags, ...data.fields.map(({ value }) => value)] : []),
    ...(data.action === 'create' ? [data.requesterName, data.requesterEmail] : []),
  ]
  const files = sets(data) && data.filesId ? [data.filesId] : []
  return [...new Set([...values.flatMap(dynamicValueVariables), ...files])]
}
