import { queryOptions } from '@tanstack/react-query'
import { readTranslator, translateTexts } from '../../server/contracts/translations'
import { callRoute } from './client'

/** The model that would translate; null: none is connected. */
export const translatorQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['translator', pgid, cgid],
    queryFn: async ({ signal }) => (await callRoute(readTranslator, { params: { pgid, cgid }, signal })).model,
  })

/** Has the chatbot's model translate marked texts; null for those that it did not keep whole. */
export const translate = (
  { pgid, cgid }: { pgid: string; cgid: string },
  body: { from: string; to: string; texts: string[] },
  signal: AbortSignal,
) => callRoute(translateTexts, { params: { pgid, cgid }, body, signal })
