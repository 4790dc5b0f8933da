import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { readSandbox, switchSandbox } from '../../server/contracts/sandbox'
import { callRoute } from './client'
import { integrationsQuery } from './integrations'

/** Whether vendors are stand-ins; for owners. */
export const sandboxQuery = (pgid: string) =>
  queryOptions({
    queryKey: ['sandbox', pgid],
    queryFn: ({ signal }) => callRoute(readSandbox, { params: { pgid }, signal }),
    // others connect real accounts
    staleTime: 0,
  })

export function useSandboxSwitch(pgid: string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (on: boolean) => callRoute(switchSandbox, { params: { pgid }, body: { on, confirmed: !on } }),
    onSuccess: (answer) => queries.setQueryData(sandboxQuery(pgid).queryKey, answer),
    onSettled: () => queries.invalidateQueries({ queryKey: integrationsQuery(pgid).queryKey }),
  })
}
