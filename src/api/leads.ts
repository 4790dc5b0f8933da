import { infiniteQueryOptions, keepPreviousData, useMutation, useQueryClient } from '@tanstack/react-query'
import { deleteLead, type LeadSource, type LeadStatus, listLeads, updateLead } from '../../server/contracts/leads'
import { listResults } from '../../server/contracts/results'
import { callRoute } from './client'
import { useConversationChanges } from './useConversationChanges'
import type { ChatbotPlace } from './webSettings'

export interface LeadFilter {
  status?: LeadStatus
  source?: LeadSource
  owner?: string
  search?: string
}

const keyOf = ({ pgid, cgid }: ChatbotPlace) => ['leads', pgid, cgid] as const
const resultsKey = ({ pgid, cgid }: ChatbotPlace) => ['results', pgid, cgid] as const

/** Keeps the leads and results on the screen up to date: the inbox's stream says that conversations have changed. */
export function useLiveAnswers(place: ChatbotPlace): void {
  const queries = useQueryClient()
  useConversationChanges(place.pgid, () => {
    void queries.invalidateQueries({ queryKey: keyOf(place) })
    void queries.invalidateQueries({ queryKey: resultsKey(place) })
  })
}

/** The leads of a chatbot, newest first. */
export const leadsQuery = (place: ChatbotPlace, filter: LeadFilter) =>
  infiniteQueryOptions({
    queryKey: [...keyOf(place), filter],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listLeads, { params: place, query: { ...filter, ...(pageParam && { before: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ leads, more }) => (more ? leads.at(-1)?.gid : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export interface LeadChange {
  gid: string
  status?: LeadStatus
  owner?: string | null
}

export function useLeadChange(place: ChatbotPlace) {
  const queries = useQueryClient()
  return useMutation({
    // one after the other: of two quick moves the last one stays
    scope: { id: `leads ${place.cgid}` },
    mutationFn: ({ gid, ...body }: LeadChange) => callRoute(updateLead, { params: { ...place, gid }, body }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(place) }),
  })
}

export function useDeleteLead(place: ChatbotPlace) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (gid: string) => callRoute(deleteLead, { params: { ...place, gid } }),
    onSettled: () => queries.invalidateQueries({ queryKey: keyOf(place) }),
  })
}

export interface ResultFilter {
  completed?: 'yes' | 'no'
  environment?: 'production' | 'sharing'
  from?: string
  to?: string
}

/** What visitors answered, newest first. */
export const resultsQuery = (place: ChatbotPlace, filter: ResultFilter) =>
  infiniteQueryOptions({
    queryKey: [...resultsKey(place), filter],
    queryFn: ({ pageParam, signal }) =>
      callRoute(listResults, { params: place, query: { ...filter, ...(pageParam && { before: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ results, more }) => (more ? results.at(-1)?.conversation : undefined),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

export type ResultPage = Awaited<ReturnType<typeof resultPage>>
const resultPage = (place: ChatbotPlace, filter: ResultFilter, before?: string) =>
  callRoute(listResults, { params: place, query: { ...filter, ...(before && { before }) } })

/** Pages that a file takes; longer tables are exported (the project's exports). */
const MOST_PAGES = 200

/** All that a filter lets through, page after page. */
export async function allResults(place: ChatbotPlace, filter: ResultFilter): Promise<ResultPage[]> {
  const pages: ResultPage[] = []
  for (let before: string | undefined; pages.length < MOST_PAGES; ) {
    const page = await resultPage(place, filter, before)
    pages.push(page)
    before = page.results.at(-1)?.conversation
    if (!page.more) break
  }
  return pages
}
