import { type Answer, type Call, fieldsOf, one } from '../call'
import { refuseRecord, refuseZendesk } from './errors'
import type { Ticket, User, ZendeskState } from './state'

interface TicketInput {
  subject?: string
  requester?: { name: string; email?: string }
  requester_id?: number
  assignee_id?: number
  group_id?: number
  brand_id?: number
  ticket_form_id?: number
  external_id?: string
  priority?: Ticket['priority']
  type?: Ticket['type']
  status?: Ticket['status']
  tags?: string[]
  additional_tags?: string[]
  remove_tags?: string[]
  custom_fields?: { id: number; value: unknown }[]
  comment?: { body?: string; html_body?: string; public?: boolean; uploads?: string[]; author_id?: number }
  safe_update?: boolean
  updated_stamp?: string
}

const ticketOf = (body: unknown) => fieldsOf(fieldsOf(body).ticket) as TicketInput

/** `POST tickets`; with an Idempotency-Key the same request is answered with the first ticket */
export function createTicket(state: ZendeskState, call: Call): Answer {
  const key = one(call.headers['idempotency-key'])
  const body = JSON.stringify(call.body)
  const known = key === undefined ? undefined : state.idempotent.get(key)
  if (known) {
    if (known.body !== body)
      throw refuseZendesk(400, 'IdempotentRequestError', {
        description: 'The idempotency key was used with other parameters before',
      })
    return created(state, findTicket(state, known.ticketId), { 'x-idempotency-lookup': 'hit' })
  }
  const input = ticketOf(call.body)
  if (!input.comment?.body && !input.comment?.html_body)
    throw refuseRecord('base', 'Description: cannot be blank', 'BlankValue')
  const ticket = newTicket(state, input)
  if (key !== undefined) state.idempotent.set(key, { body, ticketId: ticket.id })
  return created(state, ticket, key === undefined ? {} : { 'x-idempotency-lookup': 'miss' })
}

const created = (state: ZendeskState, ticket: Ticket, headers: Record<string, string>): Answer => ({
  status: 201,
  headers: { location: `${state.origin()}/api/v2/tickets/${ticket.id}.json`, ...headers },
  body: { ticket: presentTicket(state, ticket), audit: { id: ticket.id * 10, ticket_id: ticket.id } },
})

function newTicket(state: ZendeskState, input: TicketInput): Ticket {
  const now = state.clock()
  const fields = checkFields(state, input)
  checkPlace(state, input)
  const requester = requesterOf(state, input)
  const ticket: Ticket = {
    id: state.nextId(),
    subject: input.subject ?? null,
    status: input.status ?? 'new',
    priority: input.priority ?? null,
    type: input.type ?? null,
    requesterId: requester.id,
    assigneeId: input.assignee_id ?? null,
    groupId: input.group_id ?? null,
    brandId: input.brand_id ?? state.brands[0]?.id ?? null,
    formId: input.ticket_form_id ?? null,
    externalId: input.external_id ?? null,
    tags: cleanTags([...(input.tags ?? []), ...(input.additional_tags ?? [])]),
    customFields: fields,
    comments: [],
    createdAt: now,
    updatedAt: now,
  }
  checkStatus(ticket)
  addComment(state, ticket, input, requester.id)
  state.tickets.set(ticket.id, ticket)
  return ticket
}

/** `PUT tickets/{id}` */
export function updateTicket(state: ZendeskState, id: number, body: unknown): Ticket {
  const before = findTicket(state, id)
  const input = ticketOf(body)
  if (before.status === 'closed') throw refuseRecord('status', 'Status: closed prevents ticket update', 'ClosedTicket')
  if (
    input.safe_update &&
    Date.parse(input.updated_stamp ?? '') < Math.floor(before.updatedAt.getTime() / 1_000) * 1_000
  )
    throw refuseZendesk(409, 'UpdateConflict', {
      description: 'Safe Update prevented the update due to outdated ticket data.',
    })
  checkPlace(state, input)
  const fields = checkFields(state, input)
  const ticket: Ticket = {
    ...before,
    subject: input.subject ?? before.subject,
    status: input.status ?? before.status,
    priority: input.priority === undefined ? before.priority : input.priority,
    type: input.type === undefined ? before.type : input.type,
    assigneeId: input.assignee_id ?? before.assigneeId,
    groupId: input.group_id ?? before.groupId,
    brandId: input.brand_id ?? before.brandId,
    formId: input.ticket_form_id ?? before.formId,
    externalId: input.external_id ?? before.externalId,
    // a list of tags replaces what is there
    tags: cleanTags([...(input.tags ?? before.tags), ...(input.additional_tags ?? [])]).filter(
      (tag) => !input.remove_tags?.includes(tag),
    ),
    customFields: [
      ...before.customFields.filter(({ id: known }) => !fields.some((field) => field.id === known)),
      ...fields,
    ],
    comments: [...before.comments],
    updatedAt: state.clock(),
  }
  checkStatus(ticket)
  const admin = state.users.find(({ role }) => role === 'admin')
  if (input.comment) addComment(state, ticket, input, admin?.id ?? ticket.requesterId)
  state.tickets.set(id, ticket)
  return ticket
}

export function findTicket({ tickets }: ZendeskState, id: number): Ticket {
  const found = tickets.get(id)
  if (!found) throw refuseZendesk(404, 'RecordNotFound', { description: 'Not found' })
  return found
}

export const presentTicket = (state: ZendeskState, ticket: Ticket) => ({
  id: ticket.id,
  url: `${state.origin()}/api/v2/tickets/${ticket.id}.json`,
  external_id: ticket.externalId,
  subject: ticket.subject,
  raw_subject: ticket.subject,
  description: ticket.comments[0]?.body ?? '',
  status: ticket.status,
  priority: ticket.priority,
  type: ticket.type,
  requester_id: ticket.requesterId,
  submitter_id: ticket.requesterId,
  assignee_id: ticket.assigneeId,
  organization_id: null,
  group_id: ticket.groupId,
  brand_id: ticket.brandId,
  ticket_form_id: ticket.formId,
  tags: ticket.tags,
  custom_fields: state.fields
    .filter(({ custom }) => custom)
    .map(({ id }) => ({ id, value: ticket.customFields.find((field) => field.id === id)?.value ?? null })),
  is_public: ticket.comments.some((comment) => comment.public),
  created_at: writeTime(ticket.createdAt),
  updated_at: writeTime(ticket.updatedAt),
  via: { channel: 'api' },
})

export const presentComments = ({ comments }: Ticket) =>
  comments.map((comment) => ({
    id: comment.id,
    type: 'Comment',
    body: comment.body,
    html_body: `<div class="zd-comment"><p>${comment.body.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</p></div>`,
    public: comment.public,
    author_id: comment.authorId,
    created_at: writeTime(comment.createdAt),
  }))

/** Whole seconds, as Zendesk writes times. */
export const writeTime = (time: Date): string => time.toISOString().replace(/\.\d+Z$/, 'Z')

function addComment(state: ZendeskState, ticket: Ticket, { comment }: TicketInput, byDefault: number): void {
  if (!comment) return
  const missing = comment.uploads?.find((token) => !state.uploads.has(token))
  if (missing !== undefined) throw refuseRecord('base', `Attachment: ${missing} is not a valid token`)
  ticket.comments.push({
    id: state.nextId(),
    body: comment.body ?? (comment.html_body ?? '').replace(/<[^>]+>/g, ''),
    public: comment.public ?? true,
    authorId: comment.author_id ?? byDefault,
    uploads: comment.uploads ?? [],
    createdAt: state.clock(),
  })
}

/** @returns who asks: by email or id, or a new person */
function requesterOf(state: ZendeskState, { requester, requester_id }: TicketInput): User {
  if (requester_id !== undefined) {
    const known = state.users.find(({ id }) => id === requester_id)
    if (!known) throw refuseRecord('requester', 'Requester: is invalid')
    return known
  }
  const admin = state.users[0] as User
  if (!requester) return admin
  const { name, email = null } = requester
  if (email !== null && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email))
    throw refuseRecord('requester', `Requester: Email: ${email} is not properly formatted`)
  const known = state.users.find((user) => email !== null && user.email?.toLowerCase() === email.toLowerCase())
  if (known) return known
  const added: User = { id: state.nextId(), name, email, role: 'end-user' }
  state.users.push(added)
  return added
}

function checkFields(state: ZendeskState, { custom_fields = [] }: TicketInput): { id: number; value: unknown }[] {
  for (const { id, value } of custom_fields) {
    const field = state.fields.find((known) => known.id === id && known.custom)
    if (!field) throw refuseRecord('base', `Custom field ${id} does not exist`)
    if (field.options && value !== null && !field.options.some((option) => option.value === value))
      throw refuseRecord(String(id), `${field.title}: is not a valid option`)
  }
  return custom_fields
}

/** The words of the refusals are ours: the reference lists none. */
function checkPlace({ groups, brands, forms }: ZendeskState, input: TicketInput): void {
  const { group_id, brand_id, ticket_form_id } = input
  if (group_id !== undefined && !groups.some(({ id, deleted }) => id === group_id && !deleted))
    throw refuseRecord('group', 'Group: is invalid')
  if (brand_id !== undefined && !brands.some(({ id, active }) => id === brand_id && active))
    throw refuseRecord('brand', 'Brand: is invalid')
  if (ticket_form_id !== undefined && !forms.some(({ id, active }) => id === ticket_form_id && active))
    throw refuseRecord('ticket_form', 'Ticket form: is invalid')
}

function checkStatus({ status, assigneeId }: Ticket): void {
  if (status === 'pending' && assigneeId === null)
    throw refuseRecord('assignee', 'Assignee: is required when a ticket is pending', 'BlankValue')
}

const cleanTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.flatMap((tag) => tag.toLowerCase().split(/\s+/)).filter(Boolean)),
]
