import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readInstructions, updateInstructions } from '../../server/contracts/instructions'
import { callRoute } from './client'

/** A chatbot's instructions with their versions. */
export const instructionsQuery = (pgid: string, cgid: string) =>
  queryOptions({
    queryKey: ['instructions', pgid, cgid],
    queryFn: ({ signal }) => callRoute(readInstructions, { params: { pgid, cgid }, signal }),
    staleTime: 0,
  })

/** `was`: the text that editing started with; fails with `conflict` if somebody else has saved since. */
export function useSaveInstructions(pgid: string, cgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: { text: string; was: string }) =>
      callRoute(updateInstructions, { params: { pgid, cgid }, body }),
    onSuccess: (saved) => queries.setQueryData(instructionsQuery(pgid, cgid).queryKey, saved),
  })
}
