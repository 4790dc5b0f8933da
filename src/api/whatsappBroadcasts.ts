import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  type Broadcast,
  type BroadcastDraft,
  checkBroadcast,
  listBroadcastFailures,
  listBroadcasts,
  resumeBroadcast,
  startBroadcast,
  stopBroadcast,
} from '../../server/contracts/whatsappBroadcasts'
import { callRoute } from './client'
import type { ChatbotPlace } from './whatsapp'

/** How often it is looked at what has come of those that go on. */
const AGAIN = 5_000

/** Whether more comes of it without anybody doing something. */
const goesOn = ({ status, people }: Broadcast) => status === 'running' || people.sending > 0

/** The newest broadcasts of the chatbot's number. */
export const broadcastsQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid, 'broadcasts'],
    queryFn: async ({ signal }) => (await callRoute(listBroadcasts, { params: place, signal })).broadcasts,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.some(goesOn) ? AGAIN : false),
  })

/** Those whom it did not reach. */
export const broadcastFailuresQuery = (place: ChatbotPlace, broadcast: string) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid, 'broadcasts', broadcast, 'failures'],
    queryFn: async ({ signal }) =>
      (await callRoute(listBroadcastFailures, { params: { ...place, broadcast }, signal })).failures,
    staleTime: 0,
  })

export function useBroadcastChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = broadcastsQuery(place)
  const onSuccess = () => queries.invalidateQueries({ queryKey })
  return {
    check: useMutation({
      mutationFn: ({ segment, template, fills }: Pick<BroadcastDraft, 'segment' | 'template' | 'fills'>) =>
        callRoute(checkBroadcast, { params: place, body: { segment, template, fills } }),
    }),
    start: useMutation({
      mutationFn: (body: BroadcastDraft) => callRoute(startBroadcast, { params: place, body }),
      onSuccess,
    }),
    stop: useMutation({
      mutationFn: (broadcast: string) => callRoute(stopBroadcast, { params: { ...place, broadcast } }),
      onSuccess,
    }),
    resume: useMutation({
      mutationFn: (broadcast: string) => callRoute(resumeBroadcast, { params: { ...place, broadcast } }),
      onSuccess,
    }),
  }
}
