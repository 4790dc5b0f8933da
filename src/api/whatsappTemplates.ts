import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  fetchWhatsappTemplates,
  listWhatsappTemplates,
  submitWhatsappTemplate,
  type TemplateDraft,
} from '../../server/contracts/whatsappTemplates'
import { callRoute } from './client'
import { ApiFailure } from './failure'
import type { ChatbotPlace } from './whatsapp'

/** What WhatsApp has approved of the number's account, or is to. */
export const whatsappTemplatesQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid, 'templates'],
    queryFn: async ({ signal }) => (await callRoute(listWhatsappTemplates, { params: place, signal })).templates,
    // WhatsApp decides meanwhile
    staleTime: 0,
  })

/**
 * What may be sent of the number's account. @param fresh WhatsApp is asked what it has now
 * @returns null if the chatbot has no number @throws ApiFailure
 */
export async function loadTemplates(place: ChatbotPlace, fresh: boolean, signal: AbortSignal) {
  try {
    const route = fresh ? fetchWhatsappTemplates : listWhatsappTemplates
    return (await callRoute(route, { params: place, signal })).templates
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 404) return null
    throw error
  }
}

export function useTemplateChanges(place: ChatbotPlace) {
  const queries = useQueryClient()
  const { queryKey } = whatsappTemplatesQuery(place)
  const onSuccess = ({ templates }: Awaited<ReturnType<typeof fetchAll>>) => queries.setQueryData(queryKey, templates)
  const fetchAll = () => callRoute(fetchWhatsappTemplates, { params: place })
  return {
    fetch: useMutation({ mutationFn: fetchAll, onSuccess }),
    submit: useMutation({
      mutationFn: (body: TemplateDraft) => callRoute(submitWhatsappTemplate, { params: place, body }),
      onSuccess,
    }),
  }
}
