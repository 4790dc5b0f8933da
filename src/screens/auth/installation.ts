import { queryOptions } from '@tanstack/react-query'
import { installation } from '../../../server/contracts/auth'
import { callRoute } from '../../api/client'

/** Whether there is an owner, and whether registration is open. */
export const installationQuery = () =>
  queryOptions({
    queryKey: ['installation'],
    queryFn: ({ signal }) => callRoute(installation, { signal }),
    staleTime: 0,
  })
