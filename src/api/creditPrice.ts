import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { type creditPriceBody, readCreditPrice, updateCreditPrice } from '../../server/contracts/creditPrice'
import { callRoute } from './client'

/** What an AI credit costs the project. */
export const creditPriceQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['credit-price', pgid],
    queryFn: ({ signal }) => callRoute(readCreditPrice, { params: { pgid }, signal }),
  })

export function useCreditPriceChange(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.infer<typeof creditPriceBody>) => callRoute(updateCreditPrice, { params: { pgid }, body }),
    onSuccess: (answer) => queries.setQueryData(creditPriceQuery(pgid).queryKey, answer),
  })
}
