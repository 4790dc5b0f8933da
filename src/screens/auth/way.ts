import type { InvitationLook } from '../../../server/contracts/invitations'

/** A way to accept an open invitation. */
export interface Way {
  token: string
  invitation: NonNullable<InvitationLook['invitation']>
  onAccepted: (pgid: string) => void
  /** looks at the invitation again */
  again: () => void
}
