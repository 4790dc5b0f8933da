import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readInstructions, updateInstructions } from '../../server/contracts/instructions'
import { callRoute } from './client'

/** What a chatbot is told, with what it was told before. */
export const instructionsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['instructions', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readInstructions, { params: { pgid, cgid }, signal }),
    staleTime: 0,
  })

/** `was` is what the text began with: the call fails with `conflict` where somebody else has saved meanwhile. */
export function useSaveInstructions(pgid: string, cgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { text: string; was: string }) =>
      callRoute(updateInstructions, { params: { pgid, cgid }, body }),
    onSuccess: (saved) => queries.setQueryData(instructionsQuery(pgid, cgid).queryKey, saved),
  })
}
