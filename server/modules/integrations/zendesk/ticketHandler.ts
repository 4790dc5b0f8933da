import { ZodError } from 'zod'
import { type TicketCall, ticketEffect } from '../../../../engine/effects/ticket'
import type { TestEffect } from '../../../../engine/flow/testEffects'
import type { ServerContext } from '../../../platform/context'
import type { CallContext } from '../../../platform/effects/callContext'
import { handleEffect } from '../../../platform/effects/handleEffect'
import { VendorError } from '../calls/vendorError'
import type { Accounts } from '../connections/accounts'
import type { VisitorFiles } from '../visitorFiles'
import type { Writes } from '../writes'
import { checkTicketCall } from './checkTicketCall'
import { hasComment, openTickets, type Ticket } from './tickets'
import { zendesk } from './vendor'

type TicketContext = Pick<CallContext, 'project' | 'idempotencyKey' | 'signal' | 'writes'>
interface TicketAnswer {
  ok: boolean
  error?: string
  id?: string
  url?: string
  status?: string
}

/** How far Zendesk's clock may be from ours, in ms. */
const CLOCKS = 60_000
const NOT_FOUND: TicketAnswer = { ok: false, error: 'not-found' }

/**
 * Handles `ticket`. A new ticket is sent with a key of its call, by which Zendesk knows it again. A comment has none:
 * if it is unknown whether it was added, it is looked for before it is added again. Files are sent before, and what
 * Zendesk names them is kept: the same key has to come with the same names.
 */
export function createTicketHandler(
  { config }: Pick<ServerContext, 'config'>,
  { accounts, writes, visitorFiles }: { accounts: Accounts; writes: Writes; visitorFiles: VisitorFiles },
) {
  async function open(call: TicketCall, { project, signal }: TicketContext) {
    checkTicketCall(call)
    const { call: vendorCall, account } = await accounts.open(zendesk, project.id, call.connection, signal)
    // of the stand-in too: where the team opens it
    const host = config.vendors.zendesk.url ?? account.host ?? ''
    const present = ({ id, status }: { id: number | string; status: string }): TicketAnswer => ({
      ok: true,
      id: String(id),
      url: `${host}/agent/tickets/${id}`,
      status,
    })
    return { tickets: openTickets(vendorCall), present }
  }
  type Tickets = Awaited<ReturnType<typeof open>>['tickets']

  /** Sends the files that are to be attached. Those whose answer got lost are sent again, and the first is not used. */
  async function upload(tickets: Tickets, { files = [] }: TicketCall, context: TicketContext): Promise<string[]> {
    if (files.length === 0) return []
    return writes.once<string[]>({
      ...writeOf(context),
      key: `${context.idempotencyKey} files`,
      target: `${zendesk.slug}/upload`,
      prepare: async () => ({ answer: [], carryOut: () => sendAll() }),
      recover: async () => null,
    })

    async function sendAll(): Promise<string[]> {
      const tokens: string[] = []
      for (const { name, read } of await visitorFiles.find(context.project.id, files)) {
        const send = async () => tickets.upload({ name, bytes: await read() })
        tokens.push(await visitorFiles.hold(send))
      }
      return tokens
    }
  }

  /** Creates it once. */
  async function create(tickets: Tickets, call: TicketCall, context: TicketContext) {
    const status = call.status ?? 'new'
    const key = `${context.project.id} ${context.idempotencyKey}`
    const uploads = await upload(tickets, call, context)
    const id = await writes.once<string>({
      ...writeOf(context),
      prepare: async () => ({
        answer: '',
        carryOut: async () => String((await tickets.create(call, key, uploads)).id),
      }),
      // asking again with the same key is what tells
      recover: async () => null,
    })
    return { id, status }
  }

  /** Null: there is none. */
  async function update(tickets: Tickets, call: TicketCall, context: TicketContext) {
    const id = call.ticket.trim()
    if (!hasComment(call)) return tickets.update(id, call)
    const before = await tickets.get(id)
    if (!before) return null
    const uploads = await upload(tickets, call, context)
    const found = await writes.once<Told>({
      ...writeOf(context),
      prepare: async () => ({
        answer: { status: before.status },
        carryOut: async () => toldOf(await tickets.update(id, call, uploads)),
      }),
      recover: async ({ since }) =>
        (await tickets.hasComment(id, call, since.getTime() - CLOCKS))
          ? { answer: toldOf(await tickets.get(id)) }
          : null,
    })
    return found.status === null ? null : { id, status: found.status }
  }

  const writeOf = ({ project, idempotencyKey }: TicketContext) =>
    ({ projectId: project.id, key: idempotencyKey, target: `${zendesk.slug}/ticket`, leavesMark: false }) as const

  return handleEffect(ticketEffect).by({
    carryOut: (call, context: TicketContext) =>
      answered(async () => {
        const { tickets, present } = await open(call, context)
        const ticket =
          call.action === 'create'
            ? await create(tickets, call, context)
            : call.action === 'update'
              ? await update(tickets, call, context)
              : await tickets.get(call.ticket.trim())
        const answer = ticket ? present(ticket) : NOT_FOUND
        return context.writes === 'real' || !answer.ok || call.action === 'get' ? answer : shown(answer, call, true)
      }),

    simulate: (call, context: TicketContext) =>
      answered(async () => {
        const { tickets, present } = await open(call, context)
        await visitorFiles.find(context.project.id, call.files ?? [])
        if (call.action === 'create') return shown({ ok: true, status: call.status ?? 'new' }, call, false)
        const ticket = await tickets.get(call.ticket.trim())
        if (!ticket) return NOT_FOUND
        return call.action === 'get' ? present(ticket) : shown(present(ticket), call, false)
      }),
  })
}

/** What is kept of a change; null: the ticket was gone. */
type Told = { status: string | null }
const toldOf = (ticket: Ticket | null): Told => ({ status: ticket?.status ?? null })

async function answered<Answer extends TicketAnswer>(work: () => Promise<Answer>): Promise<Answer | TicketAnswer> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof VendorError) return { ok: false, error: error.message }
    // an answer of another shape than the contract's
    if (error instanceof ZodError) return { ok: false, error: new VendorError('unreadable', zendesk.name).message }
    throw error
  }
}

function shown(answer: TicketAnswer, call: TicketCall, carriedOut: boolean) {
  const { subject, comment, requester, priority, type, status, group, brand, form, tags, fields, files = [] } = call
  const named: Record<string, string | null> = {
    Subject: subject,
    [comment.public ? 'Comment' : 'Internal note']: comment.body,
    Name: requester.name,
    Email: requester.email,
    Priority: priority,
    Type: type,
    Status: status,
    Group: group ?? null,
    Brand: brand ?? null,
    Form: form ?? null,
    Tags: tags.join(', '),
    Files: files.join(', '),
    ...Object.fromEntries(fields.map(({ field, value }) => [field, value])),
  }
  const effect: TestEffect = {
    type: 'record',
    carriedOut,
    vendor: zendesk.name,
    action: call.action === 'create' ? 'create' : 'update',
    of: 'ticket',
    count: 1,
    place: zendesk.name,
    fields: Object.fromEntries(Object.entries(named).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  }
  return { ...answer, testEffects: [effect] }
}
