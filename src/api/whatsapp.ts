import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  checkWhatsapp,
  connectWhatsapp,
  disconnectWhatsapp,
  readWhatsapp,
  readWhatsappProfile,
  saveWhatsappPicture,
  saveWhatsappProfile,
  tryWhatsapp,
  type WhatsappKeys,
  type WhatsappProfile,
  type WhatsappTry,
} from '../../server/contracts/whatsapp'
import { connectSignup } from '../../server/contracts/whatsappSignup'
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
    queryFn: ({ signal }) => callRoute(readWhatsappProfile, { params: place, signal }),
    retry: false,
  })

/** Tries the values of one step; nothing is changed by it. */
export const useWhatsappTry = (place: ChatbotPlace) =>
  useMutation({ mutationFn: (body: WhatsappTry) => callRoute(tryWhatsapp, { params: place, body }) })

export function useWhatsappChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = whatsappQuery(place)
  const onSettled = () => queries.invalidateQueries({ queryKey })
  return {
    connect: useMutation({
      mutationFn: (body: WhatsappKeys) => callRoute(connectWhatsapp, { params: place, body }),
      onSettled,
    }),
    connectShared: useMutation({
      mutationFn: (body: { grant: string; business_id: string; number_id: string; pin: string }) =>
        callRoute(connectSignup, { params: place, body }),
      onSettled,
    }),
    check: useMutation({ mutationFn: () => callRoute(checkWhatsapp, { params: place }), onSettled }),
    disconnect: useMutation({ mutationFn: () => callRoute(disconnectWhatsapp, { params: place }), onSettled }),
    saveProfile: useMutation({
      mutationFn: (profile: WhatsappProfile) => callRoute(saveWhatsappProfile, { params: place, body: { profile } }),
      onSuccess: (state) => queries.setQueryData(whatsappProfileQuery(place).queryKey, state),
    }),
    savePicture: useMutation({
      mutationFn: (file: string) => callRoute(saveWhatsappPicture, { params: place, body: { file } }),
      onSuccess: (state) => queries.setQueryData(whatsappProfileQuery(place).queryKey, state),
    }),
  }
}
