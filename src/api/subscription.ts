import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import * as contract from '../../server/contracts/subscription'
import { refreshAccount, useAccount, useCan } from './account'
import { callRoute } from './client'
import { entitlementsQuery } from './usage'

/** What a project pays, as it was read at Stripe last. */
export const subscriptionQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['subscription', pgid],
    queryFn: ({ signal }) => callRoute(contract.readSubscription, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** Its latest invoices. */
export const invoicesQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['invoices', pgid],
    queryFn: ({ signal }) =>
      callRoute(contract.listInvoices, { params: { pgid }, signal }).then(({ invoices }) => invoices),
    staleTime: 0,
  })

export type PaidChange = z.infer<typeof contract.previewChange.body>

/** What a change would cost; asked anew each time, since it depends on the second. */
export const previewQuery = (pgid: string, change: PaidChange) =>
  queryOptions({
    queryKey: ['subscription-preview', pgid, change],
    queryFn: () => callRoute(contract.previewChange, { params: { pgid }, body: change }),
    ...{ staleTime: Number.POSITIVE_INFINITY, gcTime: 0, retry: false, refetchOnWindowFocus: false },
  })

/** Who may buy here, and what there is: `sells` is false where nobody pays, and for who may not. */
export function useSeller(pgid: string) {
  const { billing } = useAccount()
  const mayPay = useCan('billing.checkout')
  const query = useQuery({ ...subscriptionQuery(pgid), enabled: billing && mayPay })
  return { ...query, mayPay, sells: query.data?.sells === true, subscription: query.data?.subscription ?? null }
}

/** Changes of a subscription; what is shown elsewhere of the plan is read anew after each. */
export function useSubscriptionChanges(pgid: string) {
  const queries = useQueryClient()
  const params = { pgid }
  type View = z.infer<typeof contract.readSubscription.answer>
  const onSuccess = async (view: View) => {
    queries.setQueryData(subscriptionQuery(pgid).queryKey, view)
    await Promise.all([
      queries.invalidateQueries({ queryKey: invoicesQuery(pgid).queryKey }),
      queries.invalidateQueries({ queryKey: entitlementsQuery(pgid).queryKey }),
      refreshAccount(),
    ])
  }
  /** Stripe's pages open in place of Parley's, and lead back. */
  const leave = ({ url }: { url: string }) => window.location.assign(url)
  return {
    refresh: useMutation({ mutationFn: () => callRoute(contract.refreshSubscription, { params }), onSuccess }),
    keep: useMutation({ mutationFn: () => callRoute(contract.keepSubscription, { params }), onSuccess }),
    cancel: useMutation({ mutationFn: () => callRoute(contract.cancelSubscription, { params }), onSuccess }),
    resume: useMutation({ mutationFn: () => callRoute(contract.resumeSubscription, { params }), onSuccess }),
    change: useMutation({
      mutationFn: (body: z.infer<typeof contract.changeSubscription.body>) =>
        callRoute(contract.changeSubscription, { params, body }),
      onSuccess,
    }),
    checkout: useMutation({
      mutationFn: (body: z.infer<typeof contract.startCheckout.body>) =>
        callRoute(contract.startCheckout, { params, body }),
      onSuccess: leave,
    }),
    portal: useMutation({ mutationFn: () => callRoute(contract.openPortal, { params }), onSuccess: leave }),
  }
}
