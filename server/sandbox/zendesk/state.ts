import type { Client, Grants, Person } from '../oauth/grants'
import type { SeededRandom } from '../seededRandom'

export interface User {
  id: number
  name: string
  email: string | null
  role: 'admin' | 'agent' | 'end-user'
}

export interface Comment {
  id: number
  body: string
  public: boolean
  authorId: number
  uploads: string[]
  createdAt: Date
}

export interface Ticket {
  id: number
  subject: string | null
  status: 'new' | 'open' | 'pending' | 'hold' | 'solved' | 'closed'
  priority: 'urgent' | 'high' | 'normal' | 'low' | null
  type: 'problem' | 'incident' | 'question' | 'task' | null
  requesterId: number
  assigneeId: number | null
  groupId: number | null
  brandId: number | null
  formId: number | null
  externalId: string | null
  tags: string[]
  customFields: { id: number; value: unknown }[]
  comments: Comment[]
  createdAt: Date
  updatedAt: Date
}

export interface TicketField {
  id: number
  type: string
  title: string
  required: boolean
  options?: { name: string; value: string }[]
  custom: boolean
}

export interface Group {
  id: number
  name: string
  deleted: boolean
}

export interface Brand {
  id: number
  name: string
  active: boolean
}

export interface TicketForm {
  id: number
  name: string
  active: boolean
  fieldIds: number[]
}

export interface Article {
  id: number
  title: string
  /** HTML; null for one without a text */
  body: string | null
  locale: string
  draft: boolean
  /** null: everybody may read it */
  userSegmentId: number | null
  sectionId: number
  labels: string[]
  createdAt: Date
  /** moves for votes as well */
  updatedAt: Date
  /** moves for the text alone */
  editedAt: Date
}

/** What the stand-in of Zendesk knows. */
export interface ZendeskState {
  client: Client
  people: readonly Person[]
  grants: Grants
  users: User[]
  tickets: Map<number, Ticket>
  fields: TicketField[]
  groups: Group[]
  brands: Brand[]
  forms: TicketForm[]
  articles: Article[]
  sections: { id: number; name: string; categoryId: number; locale: string }[]
  categories: { id: number; name: string; locale: string }[]
  locales: string[]
  uploads: Map<string, { filename: string; bytes: Buffer }>
  /** answers of tickets that were made with an Idempotency-Key */
  idempotent: Map<string, { body: string; ticketId: number }>
  /** seconds until search finds what is new */
  searchDelay: number
  clock: () => Date
  random: SeededRandom
  origin: () => string
  nextId: () => number
}
