import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  fetchWhatsappTemplates,
  listWhatsappTemplates,
  submitWhatsappTemplate,
  type TemplateDraft,
} from '../../server/contracts/whatsappTemplates'
import { callRoute } from './client'
import type { ChatbotPlace } from './whatsapp'

/** What WhatsApp has approved of the number's account, or is to. */
export const whatsappTemplatesQuery = (place: ChatbotPlace) =>
  queryOptions({
    queryKey: ['whatsapp', place.cgid, 'templates'],
    queryFn: async ({ signal }) => (await callRoute(listWhatsappTemplates, { params: place, signal })).templates,
    // WhatsApp decides meanwhile
    staleTime: 0,
  })

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
