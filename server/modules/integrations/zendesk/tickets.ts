import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { TicketCall } from '../../../../engine/effects/ticket'
import type { Json } from '../../../../engine/values/json'
import { VendorError } from '../calls/vendorError'
import type { VendorCall } from '../defineVendor'

const ticketSchema = z.object({
  ticket: z.object({ id: z.int(), status: z.string().max(50).catch(''), updated_at: z.string().catch('') }),
})
export type Ticket = z.infer<typeof ticketSchema>['ticket']
const commentsSchema = z.object({
  comments: z.array(
    z.object({ body: z.string().catch(''), public: z.boolean().catch(true), created_at: z.string().catch('') }),
  ),
  meta: z.object({ has_more: z.boolean(), after_cursor: z.string().nullish() }).optional(),
})

const uploadSchema = z.object({ upload: z.object({ token: z.string().min(1).max(500) }) })

const PATH = '/api/v2/tickets'
const PAGES = 20

/** Calls about tickets. */
export function openTickets(call: VendorCall) {
  const read = (answer: Json): Ticket => {
    const parsed = ticketSchema.safeParse(answer)
    if (parsed.success) return parsed.data.ticket
    throw new VendorError('unreadable', 'Zendesk', { isUncertain: true })
  }

  return {
    /** Null for none. */
    get: (id: string): Promise<Ticket | null> =>
      orNull(call({ method: 'GET', url: `${PATH}/${id}`, kind: 'read' }).then(read)),

    /** @returns by what a comment names it; one that no comment names is Zendesk's to delete */
    async upload({ name, bytes }: { name: string; bytes: Uint8Array }): Promise<string> {
      const query = { filename: name }
      const answer = await call({ method: 'POST', url: '/api/v2/uploads', query, bytes, kind: 'write' })
      const parsed = uploadSchema.safeParse(answer)
      if (parsed.success) return parsed.data.upload.token
      throw new VendorError('unreadable', 'Zendesk', { isUncertain: true })
    },

    /** The same key is answered with the same ticket. */
    create: (asked: TicketCall, key: string, uploads: Uploads = []): Promise<Ticket> =>
      call({
        method: 'POST',
        url: PATH,
        json: { ticket: { ...fieldsOf(asked), ...requesterOf(asked), comment: commentOf(asked, uploads) } },
        kind: 'write',
        isRepeatable: true,
        idempotencyKey: createHash('sha256').update(key).digest('hex'),
      }).then(read),

    /** Null if it is gone. Without a comment, making it twice changes nothing more. */
    update: (id: string, asked: TicketCall, uploads: Uploads = []): Promise<Ticket | null> =>
      orNull(
        call({
          method: 'PUT',
          url: `${PATH}/${id}`,
          json: { ticket: { ...fieldsOf(asked), ...(hasComment(asked) && { comment: commentOf(asked, uploads) }) } },
          kind: 'write',
          isRepeatable: !hasComment(asked),
        }).then(read),
      ),

    /** Whether the ticket has this comment already, made at that time or later. */
    async hasComment(id: string, { comment }: TicketCall, since: number): Promise<boolean> {
      let after: string | undefined
      for (let page = 0; page < PAGES; page++) {
        const query: Record<string, string> = { 'page[size]': '100', ...(after && { 'page[after]': after }) }
        const answer = await call({ method: 'GET', url: `${PATH}/${id}/comments`, query, kind: 'read' })
        const { comments, meta } = commentsSchema.parse(answer)
        const isSame = (one: (typeof comments)[number]) =>
          one.public === comment.public &&
          plain(one.body) === plain(comment.body) &&
          !(Date.parse(one.created_at) < since)
        if (comments.some(isSame)) return true
        after = meta?.has_more ? (meta.after_cursor ?? undefined) : undefined
        if (after === undefined) break
      }
      return false
    },
  }
}

export const hasComment = ({ comment }: TicketCall): boolean => comment.body.trim() !== ''

/** Zendesk may keep other white space than it was sent. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** What was uploaded for a comment. */
type Uploads = readonly string[]

const commentOf = ({ comment }: TicketCall, uploads: Uploads): Record<string, Json> => ({
  body: comment.body,
  public: comment.public,
  ...(uploads.length > 0 && { uploads: [...uploads] }),
})

function requesterOf({ requester }: TicketCall): Record<string, Json> {
  const name = requester.name.trim()
  const email = requester.email.trim()
  if (name === '' && email === '') return {}
  return { requester: { name: name || email, ...(email !== '' && { email }) } }
}

/** Tags are added: a list of `tags` would replace those of the team. */
function fieldsOf(asked: TicketCall): Record<string, Json> {
  const { subject, priority, type, status, group, brand, form, tags, fields, action } = asked
  return {
    ...(subject.trim() !== '' && { subject: subject.trim() }),
    ...(priority && { priority }),
    ...(type && { type }),
    ...(status && { status }),
    ...(group && { group_id: Number(group) }),
    ...(brand && { brand_id: Number(brand) }),
    ...(form && { ticket_form_id: Number(form) }),
    ...(tags.length > 0 && { [action === 'create' ? 'tags' : 'additional_tags']: tags }),
    ...(fields.length > 0 && {
      custom_fields: fields.map(({ field, type: kind, value }) => ({ id: Number(field), value: asTyped(kind, value) })),
    }),
  }
}

/** A text as the field's type wants it; Zendesk says what it does not take. */
function asTyped(type: string, text: string): Json {
  const value = text.trim()
  if (value === '') return null
  if (type === 'checkbox') return /^(true|yes|1|on)$/i.test(value)
  if (type === 'integer' && /^-?\d{1,15}$/.test(value)) return Number(value)
  return type === 'multiselect' ? value.split(/\s*,\s*/).filter((one) => one !== '') : value
}

const orNull = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if (error instanceof VendorError && error.code === 'not_found') return null
    throw error
  })
