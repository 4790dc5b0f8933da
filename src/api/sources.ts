import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  addDocument,
  addFaq,
  addLinks,
  addText,
  allowPlanted,
  deleteSources,
  type Faq,
  importFaq,
  linkKnowledge,
  listSources,
  type Resync,
  readAgain,
  readSource,
  type SourceKind,
  type SourceList,
  type SourceStatus,
  setResync,
  sourceCaps,
  stopTraining,
  testRetrieval,
  updateFaq,
  updateText,
} from '../../server/contracts/sources'
import { refreshAccount } from './account'
import { callRoute } from './client'

/** A chatbot, by the params of its routes. */
export interface ChatbotPlace {
  pgid: string
  cgid: string
}

export interface SourceFilter {
  kind?: SourceKind | undefined
  status?: SourceStatus | undefined
  search?: string | undefined
}

/** The polling interval while sources are trained. */
export const FOLLOW_MS = 1_500

const everythingOf = ({ pgid, cgid }: ChatbotPlace) => ['sources', pgid, cgid]

/** A page of a chatbot's sources, and the training progress; polls only while something is running, or shown so. */
export const sourcesQuery = (
  place: ChatbotPlace,
  { kind, status, search }: SourceFilter,
  { offset, limit }: { offset: number; limit: number },
) =>
  queryOptions({
    queryKey: [...everythingOf(place), 'list', { kind, status, search, offset, limit }],
    queryFn: ({ signal }) =>
      callRoute(listSources, {
        params: place,
        query: { kind, status, search: search || undefined, offset, limit },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      !!data &&
      (data.training.status === 'training' || data.sources.some((source) => underWay.includes(source.status))) &&
      FOLLOW_MS,
  })

export const underWay: readonly SourceStatus[] = ['queued', 'reading', 'training']

/** A source with its content. */
export const sourceQuery = (place: ChatbotPlace, gid: string) =>
  queryOptions({
    queryKey: [...everythingOf(place), 'one', gid],
    queryFn: ({ signal }) => callRoute(readSource, { params: { ...place, gid }, signal }),
    staleTime: 0,
    refetchInterval: ({ state }) => !!state.data && underWay.includes(state.data.source.status) && FOLLOW_MS,
  })

const PAGE = 200

/** The ids of all sources that match a filter, on all pages. */
export async function allSourceGids(place: ChatbotPlace, filter: SourceFilter): Promise<string[]> {
  const gids: string[] = []
  for (;;) {
    const query = { ...filter, search: filter.search || undefined, offset: gids.length, limit: PAGE }
    const { sources, total }: SourceList = await callRoute(listSources, { params: place, query })
    gids.push(...sources.map(({ gid }) => gid))
    if (sources.length === 0 || gids.length >= total) return [...new Set(gids)]
  }
}

/** Mutations of a chatbot's sources; they update the list, and the account's counts. */
export function useSourceChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  // also after a failure: a part may have been done, or the list is outdated
  const onSettled = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: everythingOf(place) }), refreshAccount()])
  }
  const params = place
  const remove = useMutation({
    mutationFn: (gids: string[]) =>
      inParts(gids, async (part) => (await callRoute(deleteSources, { params, body: { gids: part } })).deleted),
    // not the deleted ones: a screen that still shows one would get a 404
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: [...everythingOf(place), 'list'] }),
        // lists that name them say how many stay out
        queries.invalidateQueries({ queryKey: ['feeds', place.pgid, place.cgid] }),
        refreshAccount(),
      ]),
  })
  const again = useMutation({
    mutationFn: (gids: string[]) =>
      inParts(gids, async (part) => (await callRoute(readAgain, { params, body: { gids: part } })).queued),
    onSettled,
  })
  const resync = useMutation({
    mutationFn: ({ gids, resync }: { gids: string[]; resync: Resync }) =>
      inParts(gids, async (part) => {
        await callRoute(setResync, { params, body: { gids: part, resync } })
        return part.length
      }),
    onSettled,
  })
  const stop = useMutation({
    mutationFn: (gids?: string[]) =>
      gids
        ? inParts(gids, async (part) => (await callRoute(stopTraining, { params, body: { gids: part } })).stopped)
        : callRoute(stopTraining, { params, body: {} }).then(({ stopped }) => stopped),
    onSettled,
  })
  const link = useMutation({
    mutationFn: (chatbot: string | null) => callRoute(linkKnowledge, { params, body: { chatbot } }),
    onSettled,
  })
  const saveFaq = useMutation({
    mutationFn: ({ gid, ...body }: Faq & { gid: string }) => callRoute(updateFaq, { params: { ...params, gid }, body }),
    onSettled,
  })
  const saveText = useMutation({
    mutationFn: ({ gid, ...body }: { gid: string; title: string; markdown: string }) =>
      callRoute(updateText, { params: { ...params, gid }, body }),
    onSettled,
  })
  const allow = useMutation({
    mutationFn: ({ gid, allowed }: { gid: string; allowed: string[] }) =>
      callRoute(allowPlanted, { params: { ...params, gid }, body: { allowed } }),
    onSettled,
  })
  return { remove, again, resync, stop, link, saveFaq, saveText, allow }
}

/** Mutations that add sources of each kind; the list is updated at once. */
export function useAddSources(place: ChatbotPlace) {
  const queries = useQueryClient()
  const onSettled = async () => {
    await Promise.all([queries.invalidateQueries({ queryKey: everythingOf(place) }), refreshAccount()])
  }
  const links = useMutation({
    mutationFn: (body: { urls: string[]; resync: Resync }) => callRoute(addLinks, { params: place, body }),
    onSettled,
  })
  const faq = useMutation({
    mutationFn: (body: Faq) => callRoute(addFaq, { params: place, body }),
    onSettled,
  })
  const text = useMutation({
    mutationFn: (body: { title: string; markdown: string }) => callRoute(addText, { params: place, body }),
    onSettled,
  })
  const csv = useMutation({
    mutationFn: (body: { csv: string; check: boolean }) => callRoute(importFaq, { params: place, body }),
    onSettled: (_answer, _error, { check }) => (check ? undefined : onSettled()),
  })
  const document = useMutation({
    mutationFn: ({ file, onProgress, signal }: Upload) =>
      callRoute(addDocument, {
        params: place,
        query: { name: file.name.slice(-NAME_CAP) },
        file: { content: file, onProgress },
        signal,
      }),
    onSettled,
  })
  return { links, faq, text, csv, document }
}

const NAME_CAP = 255

interface Upload {
  file: File
  onProgress: (part: number) => void
  signal: AbortSignal
}

/** Searches for a question; costs nothing. */
export const useRetrievalTest = (place: ChatbotPlace) =>
  useMutation({
    mutationFn: (question: string) => callRoute(testRetrieval, { params: place, body: { question } }),
  })

/** Sends ids in batches of the route's limit; returns the sum. */
async function inParts(gids: string[], send: (part: string[]) => Promise<number>): Promise<number> {
  let sum = 0
  for (let at = 0; at < gids.length; at += sourceCaps.atOnce) sum += await send(gids.slice(at, at + sourceCaps.atOnce))
  return sum
}
