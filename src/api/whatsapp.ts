import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  checkWhatsapp,
  connectWhatsapp,
  disconnectWhatsapp,
  readWhatsapp,
  readWhatsappProfile,
  saveWhatsappProfile,
  type WhatsappKeys,
  type WhatsappProfile,
} from '../../server/contracts/whatsapp'
import { callRoute } from './client'

export interface ChatbotPlace {
  pgid: string
  cgid: string
}

/** The chatbot's number at WhatsApp. */
export const whatsappQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid],
    queryFn: ({ signal }) => callRoute(readWhatsapp, { params: place, signal }),
    // others connect, and WhatsApp withdraws
    staleTime: 0,
  })

export const whatsappProfileQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid, 'profile'],
    queryFn: async ({ signal }) => (await callRoute(readWhatsappProfile, { params: place, signal })).profile,
    retry: false,
  })

export function useWhatsappChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = whatsappQuery(place)
  const onSettled = () => queries.invalidateQueries({ queryKey })
  return {
    connect: useMutation({
      mutationFn: (body: WhatsappKeys) => callRoute(connectWhatsapp, { params: place, body }),
      onSettled,
    }),
    check: useMutation({ mutationFn: () => callRoute(checkWhatsapp, { params: place }), onSettled }),
    disconnect: useMutation({ mutationFn: () => callRoute(disconnectWhatsapp, { params: place }), onSettled }),
    saveProfile: useMutation({
      mutationFn: (profile: WhatsappProfile) => callRoute(saveWhatsappProfile, { params: place, body: { profile } }),
      onSuccess: ({ profile }) => queries.setQueryData(whatsappProfileQuery(place).queryKey, profile),
    }),
  }
}
