import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  beginTwoFactor,
  confirmTwoFactor,
  readTwoFactor,
  renewRecoveryCodes,
  turnOffTwoFactor,
} from '../../server/contracts/two-factor'
import { refreshAccount } from './account'
import { callRoute } from './client'
import { sessionsQuery } from './profile'

/** Whether two-factor sign-in is on, and how many recovery codes are left. */
export const twoFactorQuery = queryOptions({
  queryKey: ['two-factor'],
  queryFn: ({ signal }) => callRoute(readTwoFactor, { signal }),
  staleTime: 0,
})

export interface Proof {
  current: string
  code: string
}

/** Turns two-factor sign-in on and off. */
export function useTwoFactorChanges() {
  const queries = useQueryClient()
  // projects may open with it, or close without
  const onSuccess = async () => {
    const keys = [twoFactorQuery.queryKey, sessionsQuery.queryKey]
    await Promise.all([...keys.map((queryKey) => queries.invalidateQueries({ queryKey })), refreshAccount()])
  }
  return {
    begin: useMutation({ mutationFn: (current: string) => callRoute(beginTwoFactor, { body: { current } }) }),
    confirm: useMutation({ mutationFn: (code: string) => callRoute(confirmTwoFactor, { body: { code } }), onSuccess }),
    renew: useMutation({ mutationFn: (body: Proof) => callRoute(renewRecoveryCodes, { body }), onSuccess }),
    turnOff: useMutation({ mutationFn: (body: Proof) => callRoute(turnOffTwoFactor, { body }), onSuccess }),
  }
}
