import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  readMessageApi,
  removeMessageApi,
  renewMessageApiSecret,
  saveMessageApi,
} from '../../server/contracts/messageApi'
import { callRoute } from './client'
import type { ChatbotPlace } from './sources'

/** Whether programs bring a chatbot people's messages, and where its answers go. */
export const messageApiQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['messageApi', place.cgid],
    queryFn: ({ signal }) => callRoute(readMessageApi, { params: place, signal }),
    // what went wrong with the last answer changes by itself
    staleTime: 0,
  })

export function useMessageApiChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = messageApiQuery(place)
  const onSettled = () => queries.invalidateQueries({ queryKey })
  return {
    save: useMutation({
      mutationFn: (url: string) => callRoute(saveMessageApi, { params: place, body: { url } }),
      onSettled,
    }),
    renew: useMutation({ mutationFn: () => callRoute(renewMessageApiSecret, { params: place }) }),
    remove: useMutation({ mutationFn: () => callRoute(removeMessageApi, { params: place }), onSettled }),
  }
}
