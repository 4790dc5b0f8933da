import { z } from 'zod'
import { caps, counts } from '../values/caps'
import { ticketCaps } from '../values/tickets'
import { defineEffect, optional } from './defineEffect'

export const ticketActions = ['create', 'update', 'get'] as const
export type TicketAction = (typeof ticketActions)[number]
export const ticketPriorities = ['low', 'normal', 'high', 'urgent'] as const
export const ticketTypes = ['question', 'incident', 'problem', 'task'] as const
export const ticketStates = ['new', 'open', 'pending', 'hold', 'solved'] as const

/** Longer than any text that a flow renders: the handler says what is too long. */
const text = z.string().max(200_000)

const ticketRequestSchema = z.strictObject({
  /** the project's connection, by its id */
  connection: z.string().regex(/^[a-z0-9]{16}$/, 'This is not a connection'),
  action: z.enum(ticketActions),
  /** which one to change or get; empty for a new one */
  ticket: text,
  /** an empty text leaves a field as it is */
  subject: text,
  comment: z.strictObject({ body: text, public: z.boolean() }),
  requester: z.strictObject({ name: text, email: text }),
  priority: z.enum(ticketPriorities).nullable(),
  type: z.enum(ticketTypes).nullable(),
  status: z.enum(ticketStates).nullable(),
  /** added to those that are there */
  tags: z.array(z.string().max(caps.requester)).max(ticketCaps.tags),
  /** by the account's own ids; an empty value clears one */
  fields: z
    .array(z.strictObject({ field: z.string().max(20), type: z.string().max(50), value: text }))
    .max(ticketCaps.fields),
  /** ids of who works on it, in whose name it is, and by which form it is shown; left out: as the account does */
  group: z.string().max(ticketCaps.id).optional(),
  brand: z.string().max(ticketCaps.id).optional(),
  form: z.string().max(ticketCaps.id).optional(),
  /** addresses of files that a visitor sent, attached to the comment; left out: none */
  files: z.array(z.string().max(2_000)).max(counts.files).optional(),
})

/** Creates, changes or looks up a ticket of a help desk. */
export const ticketEffect = defineEffect({
  name: 'ticket',
  request: ticketRequestSchema,
  result: z.object({
    ok: z.boolean(),
    /** `not-found`, or a sentence for the editor */
    error: optional(z.string()),
    id: optional(z.string()),
    /** where the team opens it */
    url: optional(z.string()),
    status: optional(z.string()),
  }),
})
export type TicketCall = z.infer<typeof ticketRequestSchema>
