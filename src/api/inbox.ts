import { infiniteQueryOptions, type Query, type QueryClient, queryOptions } from '@tanstack/react-query'
import * as contract from '../../server/contracts/inbox'
import { previewInboxMerge } from '../../server/contracts/inboxMerges'
import { callRoute } from './client'

export type Filters = contract.InboxFilters
/** What a list shows: a view, or what a search finds. */
export interface Shown {
  view: contract.InboxView
  search: string
  filters: Filters
}

const ofProject = (pgid: string) => ['inbox', pgid] as const
const ofConversation = (pgid: string, conversation: string) => [...ofProject(pgid), 'one', conversation] as const

export const inboxListQuery = (pgid: string, { view, search, filters }: Shown) =>
  infiniteQueryOptions({
    queryKey: [...ofProject(pgid), 'list', view, search, filters],
    queryFn: ({ pageParam, signal }) =>
      callRoute(contract.listInbox, {
        params: { pgid },
        query: {
          ...{ view, ...filters },
          ...(search && { search }),
          ...(pageParam && { [search ? 'before' : 'after']: pageParam }),
        },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    staleTime: 0,
  })

/** The conversations of pages, each once: what changes meanwhile is on two, merged ones are found by any message. */
export function entriesOf(pages: readonly { conversations: contract.InboxEntry[] }[]): contract.InboxEntry[] {
  const entries = new Map<string, contract.InboxEntry>()
  for (const entry of pages.flatMap((page) => page.conversations))
    if (!entries.has(entry.gid)) entries.set(entry.gid, entry)
  return [...entries.values()]
}

export const inboxCountsQuery = (pgid: string, chatbot: string | undefined) =>
  queryOptions({
    queryKey: [...ofProject(pgid), 'counts', chatbot],
    queryFn: ({ signal }) =>
      callRoute(contract.countInbox, { params: { pgid }, query: chatbot ? { chatbot } : {}, signal }),
    staleTime: 0,
  })

export const inboxSetupQuery = (pgid: string) =>
  queryOptions({
    queryKey: [...ofProject(pgid), 'setup'],
    queryFn: ({ signal }) => callRoute(contract.readInboxSetup, { params: { pgid }, signal }),
    staleTime: 60_000,
  })

export const inboxConversationQuery = (pgid: string, conversation: string) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'details'],
    queryFn: ({ signal }) =>
      callRoute(contract.readInboxConversation, { params: { pgid, conversation }, signal }).then(
        (answer) => answer.conversation,
      ),
    staleTime: 0,
  })

/** What the conversation's channel takes when it takes no answers any more. */
export const replyTemplatesQuery = (pgid: string, conversation: string) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'templates'],
    queryFn: async ({ signal }) =>
      (await callRoute(contract.listReplyTemplates, { params: { pgid, conversation }, signal })).templates,
    staleTime: 0,
  })

/** The newest messages first; each further page is the one before. */
export const inboxThreadQuery = (pgid: string, conversation: string) =>
  infiniteQueryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'thread'],
    queryFn: ({ pageParam, signal }) =>
      callRoute(contract.readThread, {
        params: { pgid, conversation },
        query: pageParam ?? {},
        signal,
      }),
    initialPageParam: null as { before: number; of?: string } | null,
    getNextPageParam: ({ earlier, messages: [first] }) =>
      earlier && first ? { before: first.seq, ...(first.of && { of: first.of }) } : undefined,
    staleTime: 0,
  })

export const inboxSuggestionQuery = (pgid: string, conversation: string, seq: number) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'suggestion', seq],
    queryFn: ({ signal }) => callRoute(contract.suggestReply, { params: { pgid, conversation }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const inboxDebugQuery = (pgid: string, conversation: string, seq: number) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'debug', seq],
    queryFn: ({ signal }) => callRoute(contract.debugMessage, { params: { pgid, conversation, seq }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A conversation with those that it can be merged with. */
export const inboxMergeQuery = (pgid: string, conversation: string) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'merge'],
    queryFn: ({ signal }) =>
      callRoute(previewInboxMerge, { params: { pgid, conversation }, signal }).then((answer) => answer.conversations),
    staleTime: 0,
    gcTime: 0,
  })

/** The model that translates messages; null: none is connected. */
export const inboxTranslatorQuery = (pgid: string, conversation: string) =>
  queryOptions({
    queryKey: [...ofConversation(pgid, conversation), 'translator'],
    queryFn: ({ signal }) =>
      callRoute(contract.readThreadTranslator, { params: { pgid, conversation }, signal }).then(({ model }) => model),
    staleTime: 300_000,
  })
/** Where translated messages are kept on the page. */
export const translationsKey = (pgid: string, conversation: string, language: string) =>
  [...ofConversation(pgid, conversation), 'translations', language] as const

/** Pages of a search that are read again whenever somebody says something: of more, the found ones stand. */
const PAGES_KEPT_FRESH = 3
const isLongSearch = ({ queryKey, state }: Query): boolean =>
  queryKey[4] !== '' && ((state.data as { pages: unknown[] } | undefined)?.pages.length ?? 0) > PAGES_KEPT_FRESH

/** Reads the lists and counts again. @param isOwn whether for a change that was made here: then long searches too */
export const refreshLists = (client: QueryClient, pgid: string, isOwn = true) =>
  Promise.all([
    client.invalidateQueries({
      queryKey: [...ofProject(pgid), 'list'],
      predicate: (query) => isOwn || !isLongSearch(query),
    }),
    client.invalidateQueries({ queryKey: [...ofProject(pgid), 'counts'] }),
  ])
/** Reads one conversation again, if it is on the screen. */
export const refreshConversation = (client: QueryClient, pgid: string, conversation: string) =>
  Promise.all([
    client.invalidateQueries({ queryKey: [...ofConversation(pgid, conversation), 'details'] }),
    client.invalidateQueries({ queryKey: [...ofConversation(pgid, conversation), 'thread'] }),
  ])
export const refreshSetup = (client: QueryClient, pgid: string) =>
  client.invalidateQueries({ queryKey: [...ofProject(pgid), 'setup'] })
export const refreshInbox = (client: QueryClient, pgid: string) =>
  client.invalidateQueries({ queryKey: ofProject(pgid) })
