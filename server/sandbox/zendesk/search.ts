import { type Call, one } from '../call'
import type { Ticket, ZendeskState } from './state'
import { presentTicket } from './tickets'

const ORDER: readonly Ticket['status'][] = ['new', 'open', 'pending', 'hold', 'solved', 'closed']
/** The most results that can be paged through. */
const MOST = 1_000

/** `GET search`: words, and terms such as `type:ticket requester:a@b.co status<solved tags:parley` */
export function searchTickets(state: ZendeskState, query: Call['query']) {
  const terms = [...(one(query.query) ?? '').matchAll(/(-?)(\w+)([:<>]=?)(?:"([^"]*)"|(\S+))|"([^"]+)"|(\S+)/g)]
  const visibleSince = state.clock().getTime() - state.searchDelay * 1_000
  const found = [...state.tickets.values()]
    .filter(({ createdAt }) => createdAt.getTime() <= visibleSince)
    .filter((ticket) =>
      terms.every(([, minus, name, operator = ':', quoted, plain, phrase, word]) => {
        if (name === undefined) return textOf(ticket).includes((phrase ?? word ?? '').toLowerCase())
        const holds = isSo(state, ticket, name, operator, (quoted ?? plain ?? '').toLowerCase())
        return minus === '-' ? !holds : holds
      }),
    )
    .sort(
      (a, b) =>
        (one(query.sort_order) === 'asc' ? 1 : -1) * (a.createdAt.getTime() - b.createdAt.getTime() || a.id - b.id),
    )
    .slice(0, MOST)
  const size = Math.min(100, Number(one(query.per_page) ?? 100))
  const page = Number(one(query.page) ?? 1)
  const results = found.slice((page - 1) * size, page * size)
  const next = found.length > page * size ? `${state.origin()}/api/v2/search.json?page=${page + 1}` : null
  return {
    results: results.map((ticket) => ({ ...presentTicket(state, ticket), result_type: 'ticket' })),
    count: found.length,
    next_page: next,
    previous_page: null,
  }
}

function isSo(state: ZendeskState, ticket: Ticket, name: string, operator: string, value: string): boolean {
  const person = (id: number | null) => state.users.find((user) => user.id === id)
  const is = (user: ReturnType<typeof person>) =>
    value === user?.email?.toLowerCase() || value === String(user?.id) || value === user?.name.toLowerCase()
  switch (name) {
    case 'type':
      return value === 'ticket' || value === ticket.type
    case 'requester':
      return is(person(ticket.requesterId))
    case 'assignee':
      return value === 'none' ? ticket.assigneeId === null : is(person(ticket.assigneeId))
    case 'status':
      return ordered(ORDER.indexOf(ticket.status) - ORDER.indexOf(value as Ticket['status']), operator)
    case 'tags':
      return ticket.tags.includes(value)
    case 'priority':
      return ticket.priority === value
    case 'external_id':
      return ticket.externalId?.toLowerCase() === value
    case 'subject':
      return ticket.subject?.toLowerCase().includes(value.replaceAll('*', '')) ?? false
    case 'created':
      return ordered(ticket.createdAt.getTime() - Date.parse(value), operator)
    default:
      return false
  }
}

const ordered = (difference: number, operator: string): boolean => {
  if (operator === '<') return difference < 0
  if (operator === '<=') return difference <= 0
  if (operator === '>') return difference > 0
  return operator === '>=' ? difference >= 0 : difference === 0
}

const textOf = ({ subject, comments }: Ticket) =>
  `${subject ?? ''} ${comments.map(({ body }) => body).join(' ')}`.toLowerCase()
