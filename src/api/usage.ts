import { queryOptions } from '@tanstack/react-query'
import { readEntitlements } from '../../server/contracts/billing'
import { readLimits } from '../../server/contracts/limits'
import { readOverage } from '../../server/contracts/subscription'
import { readUsageHistory } from '../../server/contracts/usage'
import { callRoute } from './client'

/** What a project used by the month; read anew each time, since visitors use it up. */
export const usageHistoryQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['usage-history', pgid],
    queryFn: ({ signal }) => callRoute(readUsageHistory, { params: { pgid }, signal }).then(({ meters }) => meters),
    staleTime: 0,
  })

/** What counts towards a project's limits, and what of it is over. */
export const limitsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['limits', pgid],
    queryFn: ({ signal }) => callRoute(readLimits, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** AI credits beyond the plan: what is allowed, and what of it is used. */
export const overageQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['overage', pgid],
    queryFn: ({ signal }) => callRoute(readOverage, { params: { pgid }, signal }),
    staleTime: 0,
  })

/** What a project may do by its plan and its add-ons. */
export const entitlementsQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['entitlements', pgid],
    queryFn: ({ signal }) => callRoute(readEntitlements, { params: { pgid }, signal }),
    staleTime: 0,
  })
