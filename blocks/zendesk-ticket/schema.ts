import { z } from 'zod'
import { ticketActions, ticketPriorities, ticketStates, ticketTypes } from '../../engine/effects/ticket'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { emailRule, ticketIdRule } from '../../engine/values/rules'
import { ticketCaps } from '../../engine/values/tickets'

/** A choice that leaves the ticket as it is. */
export const UNSET = 'unset'

/** One of the account's own, with the label that it had when it was chosen. */
const named = z.strictObject({ id: z.string().max(ticketCaps.id), label: z.string().max(500) }).nullable()
export type NamedPlace = z.infer<typeof named>

export const zendeskTicketSchema = z.strictObject({
  action: z.enum(ticketActions),
  /** a connection of the project */
  connection: z.string().max(64).nullable(),
  /** which ticket is changed or looked up */
  ticketId: dynamicValueSchema(ticketCaps.id, ticketIdRule),
  subject: dynamicValueSchema(caps.ticketSubject),
  /** a new ticket's description, or a comment on one */
  body: dynamicValueSchema(ticketCaps.body),
  visibility: z.enum(['public', 'internal']),
  /** a variable with the addresses of files that a visitor sent */
  filesId: idSchema.nullable(),
  requesterName: dynamicValueSchema(caps.requester),
  requesterEmail: dynamicValueSchema(caps.requester, emailRule),
  priority: z.enum([UNSET, ...ticketPriorities]),
  type: z.enum([UNSET, ...ticketTypes]),
  status: z.enum([UNSET, ...ticketStates]),
  group: named,
  brand: named,
  form: named,
  /** with commas */
  tags: dynamicValueSchema(caps.requester),
  /** the account's own, with the label that each had when it was chosen */
  fields: z
    .array(
      z.strictObject({
        id: idSchema,
        field: z.strictObject({ id: z.string().max(75), label: z.string().max(500) }).nullable(),
        value: dynamicValueSchema(ticketCaps.value),
      }),
    )
    .max(ticketCaps.fields),
  saveIdTo: idSchema.nullable(),
  saveUrlTo: idSchema.nullable(),
  saveStatusTo: idSchema.nullable(),
})
export type ZendeskTicketData = z.infer<typeof zendeskTicketSchema>
export type NamedField = ZendeskTicketData['fields'][number]['field']

export const zendeskTicketDefaults = (): ZendeskTicketData => ({
  action: 'create',
  connection: null,
  ticketId: staticValue(''),
  subject: staticValue(''),
  body: staticValue(''),
  visibility: 'public',
  filesId: null,
  requesterName: staticValue(''),
  requesterEmail: staticValue(''),
  priority: UNSET,
  type: UNSET,
  status: UNSET,
  group: null,
  brand: null,
  form: null,
  tags: staticValue(''),
  fields: [],
  saveIdTo: null,
  saveUrlTo: null,
  saveStatusTo: null,
})

/** Whether the action is about a ticket that is there. */
export const finds = ({ action }: Pick<ZendeskTicketData, 'action'>): boolean => action !== 'create'
/** Whether it writes. */
export const sets = ({ action }: Pick<ZendeskTicketData, 'action'>): boolean => action !== 'get'
