import { z } from 'zod'
import { personFields, userSchema } from './auth'
import { defineRoute, gid } from './route'

/** From an invitation's link. */
const token = z.string().min(1, 'Required').max(128)

export const invitationStates = ['open', 'expired', 'revoked', 'accepted', 'unknown'] as const

/**
 * What the holder of an invitation's link sees, logged in or not. The token is in the body, because addresses are
 * logged.
 */
export const lookAtInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/look',
  access: 'public',
  body: z.strictObject({ token }),
  answer: z.strictObject({
    state: z.enum(invitationStates),
    /** null: no such invitation */
    invitation: z
      .strictObject({
        project: z.string(),
        /** null: the account was deleted */
        invited_by: z.string().nullable(),
        email: z.string(),
        roles: z.array(z.int()),
        expires_at: z.string(),
        has_account: z.boolean(),
      })
      .nullable(),
    /** the address of the logged-in account; null: none */
    logged_in_as: z.string().nullable(),
    /** the project, if that account is already a member */
    member_of: gid.nullable(),
  }),
})
export type InvitationLook = z.infer<typeof lookAtInvitation.answer>

/** Accepts as the account that the invitation is for. */
export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/api/invitations/accept',
  access: 'user',
  body: z.strictObject({ token }),
  answer: z.strictObject({ pgid: gid }),
})

/** Creates the account that the invitation is for, and logs in; also if registration is closed. */
export const acceptAsNewBody = z.strictObject({
  token,
  first_name: personFields.first_name,
  last_name: personFields.last_name,
  password: personFields.password,
})
export const acceptAsNew = defineRoute({
  method: 'POST',
  path: '/api/invitations/accept-as-new',
  access: 'guest',
  limit: { by: 'address', most: 60 },
  body: acceptAsNewBody,
  answer: z.strictObject({ pgid: gid, user: userSchema }),
})
