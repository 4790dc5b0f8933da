import { useEffect } from 'react'
import { refreshAccount } from '../../api/account'
import type { OpenFlow } from '../../collab/openFlow'

/** What one may do with the flow changed while it is open: so did the roles, by which the screen offers the rest. */
export function useOwnRoles(flow: OpenFlow | undefined): void {
  useEffect(
    () =>
      flow?.store.subscribe(({ readOnly }, before) => {
        if (readOnly !== before.readOnly) void refreshAccount()
      }),
    [flow],
  )
}
