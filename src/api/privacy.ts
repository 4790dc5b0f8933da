import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { previewRetention, type Retention, readRetention, saveRetention } from '../../server/contracts/privacy'
import { callRoute } from './client'

/** A project's rules of retention, and what they did. */
export const retentionQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['retention', pgid],
    queryFn: ({ signal }) => callRoute(readRetention, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** How many conversations rules would concern now. */
export const retentionPreviewQuery = (pgid: string, rules: Retention) =>
  queryOptions({
    queryKey: ['retention-preview', pgid, rules],
    queryFn: ({ signal }) => callRoute(previewRetention, { params: { pgid }, body: rules, signal }),
    staleTime: 10_000,
  })

export function useSaveRetention(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: Retention) => callRoute(saveRetention, { params: { pgid }, body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ['retention', pgid] }),
  })
}
