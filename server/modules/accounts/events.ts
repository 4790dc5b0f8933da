import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const roles = z.array(z.int())
/** An invitation by its id: the address is in its row, which is deleted with the project. */
const invitation = z.strictObject({ invitation: z.string(), roles })
/** An account by its database id. */
const user = z.string()

export const memberInvited = defineEvent('member.invited', invitation)
/** An invitation was sent again, with a new link. */
export const invitationRenewed = defineEvent('invitation.renewed', invitation)
/** `invitation.revoked`: by hand, or because its sender lost the right to send it. */
export const invitationRevoked = defineEvent('invitation.revoked', invitation)
export const memberJoined = defineEvent('member.joined', z.strictObject({ user, roles }))
export const memberChanged = defineEvent('member.changed', z.strictObject({ user, roles, before: roles }))
/** By somebody else, or by themselves. */
export const memberRemoved = defineEvent('member.removed', z.strictObject({ user }))

const key = z.strictObject({ key: z.string(), name: z.string() })
export const apiKeyCreated = defineEvent('apiKey.created', key)
export const apiKeyRotated = defineEvent('apiKey.rotated', key)
export const apiKeyDeleted = defineEvent('apiKey.deleted', key)

const named = z.strictObject({ name: z.string() })
/** Whether members need a second factor. */
export const signInRuleChanged = defineEvent(
  'project.sign_in_rule_changed',
  z.strictObject({ secondFactor: z.boolean() }),
)
/** Whether members of the identity provider's domains need it. */
export const signOnRuleChanged = defineEvent('project.sign_on_rule_changed', z.strictObject({ required: z.boolean() }))
/** From where the project may be opened, with commas. */
export const allowedAddressesChanged = defineEvent(
  'allowed_addresses.changed',
  z.strictObject({ addresses: z.string() }),
)
/** Including copies of projects. */
export const projectCreated = defineEvent('project.created', named)
export const projectRenamed = defineEvent('project.renamed', named)
/** Its rows are deleted from now on, and its events at the end. */
export const projectDeleted = defineEvent('project.deleted', named)
/** Which private networks its calls may reach. */
export const networksChanged = defineEvent('networks.changed', z.strictObject({ networks: z.string() }))
