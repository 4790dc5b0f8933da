import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

/** How many people can be invited at once, and for how long their links work. */
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
  roles: z.array(z.int()),
  joined_at: z.string(),
})
export type Member = z.infer<typeof memberSchema>

/** One that was neither accepted nor revoked; it may have expired. */
export const invitationSchema = z.strictObject({
  gid,
  email: z.string(),
  roles: z.array(z.int()),
  /** null: that account is gone */
  invited_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
  expired: z.boolean(),
})
export type Invitation = z.infer<typeof invitationSchema>

/** The only answer that holds the link: the database has its hash alone. */
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
    /** members and invitations that can still be accepted, of what the plan allows */
    seats: z.strictObject({ used: z.int(), max: z.int(), plan: z.string() }),
  }),
})
export type MemberList = z.infer<typeof listMembers.answer>

/** Invites all of them or, when something is wrong with one, nobody: `fields` then says at `emails.<index>` what and how to mend it. */
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

/** A new link for another seven days; the one before works no more. */
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
