import { z } from 'zod'
import { pictureSchema } from './pictures'
import { defineRoute, gid, ok } from './route'

/** How many people can be invited at once, and how long links are valid. */
export const MOST_AT_ONCE = 20
export const INVITATION_DAYS = 7

/** One role or several (SPEC.md 6). */
export const rolesSchema = z
  .array(z.literal([1, 2, 3, 4, 5, 6]))
  .min(1, 'Choose at least one role')
  .max(6)
  .transform((roles) => [...new Set(roles)].sort())

export const memberSchema = z.strictObject({
  /** the user's id */
  gid,
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  picture: pictureSchema,
  roles: z.array(z.int()),
  joined_at: z.string(),
})
export type Member = z.infer<typeof memberSchema>

/** Neither accepted nor revoked; it may have expired. */
export const invitationSchema = z.strictObject({
  gid,
  email: z.string(),
  roles: z.array(z.int()),
  /** null: the account was deleted */
  invited_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  expired: z.boolean(),
})
export type Invitation = z.infer<typeof invitationSchema>

/** The only response with the link: the database has only its hash. */
export const sentInvitationSchema = z.strictObject({
  invitation: invitationSchema,
  link: z.string(),
  /** `outbox`: there is no mail server, so the link has to be passed on by hand */
  mail: z.enum(['sent', 'outbox', 'failed']),
})
export type SentInvitation = z.infer<typeof sentInvitationSchema>

const inProject = z.strictObject({ pgid: gid })
const inProjectOne = z.strictObject({ pgid: gid, gid })

export const listMembers = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/members',
  access: { feature: 'members.view' },
  params: inProject,
  answer: z.strictObject({
    members: z.array(memberSchema),
    invitations: z.array(invitationSchema),
    /** whether members can open the project only with two-factor sign-in */
    second_factor_required: z.boolean(),
    /** members who can't prove a second factor */
    without_second_factor: z.array(gid),
    /** members and valid invitations, and the plan's limit */
    seats: z.strictObject({ used: z.int(), max: z.int(), plan: z.string() }),
  }),
})
export type MemberList = z.infer<typeof listMembers.answer>

/** Only by somebody who has logged in with a second factor: others would lock themselves out. */
export const changeSignInRule = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/sign-in-rule',
  access: { feature: 'security.update' },
  params: inProject,
  body: z.strictObject({ second_factor_required: z.boolean() }),
  answer: z.strictObject({ second_factor_required: z.boolean() }),
})

/**
 * Invites all of them or, if one is invalid, nobody: `fields` then has the problem and the remedy at `emails.<index>`.
 */
export const inviteMembers = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/invitations',
  access: { feature: 'members.invite' },
  params: inProject,
  body: z.strictObject({
    emails: z
      .array(z.string().max(320, 'Must not exceed 320 characters'))
      .min(1, 'Enter an email address')
      .max(MOST_AT_ONCE, `Invite at most ${MOST_AT_ONCE} people at once`),
    roles: rolesSchema,
  }),
  answer: z.strictObject({ invited: z.array(sentInvitationSchema) }),
})

/** A new link valid for seven days; the old one stops working. */
export const resendInvitation = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/invitations/:gid/resend',
  access: { feature: 'members.invite' },
  params: inProjectOne,
  answer: sentInvitationSchema,
})
export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/invitations/:gid',
  access: { feature: 'members.invite' },
  params: inProjectOne,
  answer: ok,
})
export const changeRoles = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/members/:gid',
  access: { feature: 'members.update' },
  params: inProjectOne,
  body: z.strictObject({ roles: rolesSchema }),
  answer: z.strictObject({ member: memberSchema }),
})
export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/members/:gid',
  access: { feature: 'members.remove' },
  params: inProjectOne,
  answer: ok,
})
export const leaveProject = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/leave',
  access: { feature: 'project.view' },
  params: inProject,
  answer: ok,
})
