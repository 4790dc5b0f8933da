import { type Client, type Grant, Grants, type Person } from '../oauth/grants'
import { createSeededRandom } from '../seededRandom'
import { type StandIn, type StandInOptions, startStandIn } from '../standIn'
import { refuseAsZendesk } from './errors'
import { zendeskKinds } from './kinds'
import type { Article, Comment, Ticket, TicketField, ZendeskState } from './state'
import { findTicket } from './tickets'
import { zendeskApi } from './zendeskApi'
import { ZENDESK_SCOPES, zendeskOAuth } from './zendeskOAuth'

export interface ZendeskStandIn extends StandIn {
  /** an OAuth client of this one account */
  client: Client
  state: ZendeskState
  /** tickets in the order in which they were made */
  tickets(): Ticket[]
  /** what an agent does: answers, or notes for colleagues; and sets the status */
  answer(ticketId: number, body: string, more?: { isPublic?: boolean; status?: Ticket['status'] }): Comment
  addField(field: Pick<TicketField, 'title'> & Partial<TicketField>): TicketField
  addArticle(article: Pick<Article, 'title' | 'body'> & Partial<Article>): Article
  /** gives tokens without the consent page. Default: all scopes */
  issue(scopes?: readonly string[]): Grant
}

/** Starts a stand-in of Zendesk: OAuth, tickets, search, uploads and the Help Center. */
export async function startZendeskStandIn(options: StandInOptions): Promise<ZendeskStandIn> {
  const { clock, seed = 1, domain = 'example.com' } = options
  const random = createSeededRandom(seed)
  const people: [Person] = [{ id: '1', name: 'Ada Example', email: `ada@${domain}` }]
  const client = { id: 'parley-zendesk', secret: 'stand-in-secret-zendesk' }
  const rules = {
    accessSeconds: 172_800,
    refreshSeconds: 2_592_000,
    codeSeconds: 120,
    rotates: true,
    // a refresh deletes both old tokens
    endsOldAccess: true,
    accessToken: () => random.text(64).toLowerCase(),
    refreshToken: () => random.text(64).toLowerCase(),
  }
  let origin = ''
  let last = 100
  const system = (id: number, type: string, title: string): TicketField => ({
    id,
    type,
    title,
    required: false,
    custom: false,
  })
  const state: ZendeskState = {
    client,
    people,
    grants: new Grants(rules, clock, random),
    users: [{ id: 1, name: 'Ada Example', email: `ada@${domain}`, role: 'admin' }],
    tickets: new Map(),
    fields: [
      system(11, 'subject', 'Subject'),
      system(12, 'description', 'Description'),
      system(13, 'status', 'Status'),
      system(14, 'priority', 'Priority'),
    ],
    groups: [{ id: 51, name: 'Support', deleted: false }],
    brands: [{ id: 61, name: 'Acme', active: true }],
    forms: [{ id: 71, name: 'Default form', active: true, fieldIds: [11, 12, 13, 14] }],
    articles: [],
    sections: [{ id: 31, name: 'First steps', categoryId: 21, locale: 'en-us' }],
    categories: [{ id: 21, name: 'Help', locale: 'en-us' }],
    locales: ['en-us'],
    uploads: new Map(),
    idempotent: new Map(),
    searchDelay: 0,
    clock,
    random,
    origin: () => origin,
    nextId: () => ++last,
  }
  const api = zendeskApi(state, options.limited ?? false)
  const { admit, headers, revoke } = api
  const routes = [...zendeskOAuth(state, options.home), ...api.routes]
  const vendor = {
    name: 'Zendesk',
    routes,
    refuse: refuseAsZendesk,
    kinds: () => zendeskKinds(state),
    grants: state.grants,
    admit,
    headers,
    revoke,
    ending: '.json',
  }
  const standIn = await startStandIn(vendor, options)
  origin = standIn.origin
  return {
    ...standIn,
    client,
    state,
    tickets: () => [...state.tickets.values()],
    answer(ticketId, body, { isPublic = true, status } = {}) {
      const ticket = findTicket(state, ticketId)
      const comment = { id: state.nextId(), body, public: isPublic, authorId: 1, uploads: [], createdAt: clock() }
      const changed = {
        ...ticket,
        comments: [...ticket.comments, comment],
        status: status ?? ticket.status,
        updatedAt: clock(),
      }
      state.tickets.set(ticketId, changed)
      return comment
    },
    addField(field) {
      const added: TicketField = { id: state.nextId(), type: 'text', required: false, custom: true, ...field }
      state.fields.push(added)
      return added
    },
    addArticle(article) {
      const now = clock()
      const defaults = { locale: 'en-us', draft: false, userSegmentId: null, sectionId: 31, labels: [] }
      const added: Article = {
        id: state.nextId(),
        ...defaults,
        createdAt: now,
        updatedAt: now,
        editedAt: now,
        ...article,
      }
      state.articles.push(added)
      return added
    },
    issue: (scopes = Object.keys(ZENDESK_SCOPES)) => state.grants.issue(people[0], client.id, scopes),
  }
}
