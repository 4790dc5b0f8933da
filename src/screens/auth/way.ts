import type { InvitationLook } from '../../../server/contracts/invitations'

/** Props of each way to accept a valid invitation. */
export interface Way {
  token: string
  invitation: NonNullable<InvitationLook['invitation']>
  onAccepted: (pgid: string) => void
  /** reloads the invitation */
  again: () => void
}
