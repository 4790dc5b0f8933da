import { queryOptions } from '@tanstack/react-query'
import { readLook } from '../../server/contracts/web'
import { callRoute } from './client'

/** How a chatbot looks: the draft that editors work on, and what of it visitors see. */
export const lookQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['look', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readLook, { params: { pgid, cgid }, signal }),
    staleTime: 0,
  })
