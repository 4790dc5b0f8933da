import { queryOptions } from '@tanstack/react-query'
import { readAiSettings } from '../../server/api/ai/contract'
import { callRoute } from './client'

/** A chatbot's AI settings, with the models that it may be given. */
export const aiSettingsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['ai-settings', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readAiSettings, { params: { pgid, cgid }, signal }),
  })
