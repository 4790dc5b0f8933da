import type { RecordKind } from '../pages/records'
import { refuseRecord } from './errors'
import type { Article, Comment, Ticket, ZendeskState } from './state'
import { createTicket, findTicket, updateTicket } from './tickets'

const STATES: readonly Ticket['status'][] = ['new', 'open', 'pending', 'hold', 'solved', 'closed']

/** @returns a page of tickets, on which a person answers as an agent, and one of articles */
export const zendeskKinds = (state: ZendeskState): RecordKind[] => [tickets(state), articles(state)]

const tickets = (state: ZendeskState): RecordKind => ({
  key: 'tickets',
  title: 'Tickets',
  columns: [
    { name: 'id', label: 'Id', isFixed: true },
    { name: 'subject', label: 'Subject' },
    { name: 'status', label: 'Status', options: STATES },
    { name: 'requester', label: 'From', isFixed: true },
    { name: 'group', label: 'Group', isFixed: true },
    { name: 'tags', label: 'Tags' },
    { name: 'comments', label: 'Comments', isFixed: true },
    { name: 'reply', label: 'Answer, or the first comment', isLong: true },
  ],
  empty: 'There are no tickets yet.',
  rows: () =>
    [...state.tickets.values()].map(({ id, subject, status, requesterId, groupId, tags, comments }) => ({
      id: String(id),
      values: {
        id: String(id),
        subject: subject ?? '',
        status,
        requester: state.users.find((user) => user.id === requesterId)?.email ?? '',
        group: state.groups.find((group) => group.id === groupId)?.name ?? '',
        tags: tags.join(' '),
        comments: comments.map((comment) => presentComment(state, comment)).join(' · '),
        reply: '',
      },
    })),
  add({ subject, status, tags, reply }) {
    const kept = { subject, tags: tags?.split(/\s+/).filter(Boolean), comment: { body: reply } }
    const ticket = { ...kept, ...(status && { status }) }
    const call = { method: 'POST', path: '', params: {}, query: {}, headers: {}, at: state.clock(), body: { ticket } }
    createTicket(state, call)
  },
  change(id, { subject, status, tags, reply }) {
    // the person at this page is the agent of all tickets
    const assignee_id = state.users[0]?.id
    const before = findTicket(state, Number(id))
    const ticket = {
      subject,
      status: status === before.status ? undefined : status,
      assignee_id,
      tags: tags?.split(/\s+/).filter(Boolean),
      ...(reply && { comment: { body: reply, public: true } }),
    }
    updateTicket(state, before.id, { ticket })
  },
  remove: (id) => void state.tickets.delete(Number(id)),
})

function presentComment({ uploads: known }: ZendeskState, { body, public: isPublic, uploads }: Comment): string {
  const files = uploads.map((token) => known.get(token)?.filename ?? token)
  return `${isPublic ? '' : '(internal) '}${body}${files.length > 0 ? ` (with ${files.join(', ')})` : ''}`
}

const articles = (state: ZendeskState): RecordKind => ({
  key: 'articles',
  title: 'Help Center',
  columns: [
    { name: 'title', label: 'Title' },
    { name: 'body', label: 'Text (HTML)', isLong: true },
    { name: 'draft', label: 'Draft', options: ['no', 'yes'] },
    { name: 'readers', label: 'Readers', options: ['everybody', 'the team'] },
  ],
  empty: 'There are no articles yet.',
  rows: () =>
    state.articles.map(({ id, title, body, draft, userSegmentId }) => ({
      id: String(id),
      values: {
        title,
        body: body ?? '',
        draft: draft ? 'yes' : 'no',
        readers: userSegmentId === null ? 'everybody' : 'the team',
      },
    })),
  add(values) {
    const now = state.clock()
    const times = { createdAt: now, updatedAt: now, editedAt: now }
    state.articles.push({
      id: state.nextId(),
      locale: 'en-us',
      sectionId: 31,
      labels: [],
      ...times,
      ...readArticle(values),
    })
  },
  change(id, values) {
    const found = state.articles.find((article) => article.id === Number(id))
    if (!found) throw refuseRecord('base', 'This article is no longer there.')
    const now = state.clock()
    Object.assign(found, readArticle(values), { updatedAt: now, editedAt: now })
  },
  remove(id) {
    state.articles = state.articles.filter((article) => article.id !== Number(id))
  },
})

function readArticle({
  title = '',
  body = '',
  draft,
  readers,
}: Record<string, string>): Pick<Article, 'title' | 'body' | 'draft' | 'userSegmentId'> {
  if (title.trim() === '') throw refuseRecord('title', 'Title: cannot be blank')
  return { title: title.trim(), body, draft: draft === 'yes', userSegmentId: readers === 'the team' ? 1 : null }
}
