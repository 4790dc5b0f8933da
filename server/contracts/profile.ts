import { z } from 'zod'
import { personFields, userSchema } from './auth'
import { presentPassword } from './fields'
import { surveyAnswersSchema } from './firstSteps'
import { interfaceLanguages } from './languages'
import { defineRoute, gid, ok } from './route'

const { email, password, first_name, last_name } = personFields

export const updateProfileBody = z.strictObject({ first_name, last_name })
export const updateProfile = defineRoute({
  method: 'PATCH',
  path: '/api/user',
  access: 'user',
  body: updateProfileBody,
  answer: userSchema,
})

/** Ends all other sessions of the account. */
export const changePasswordBody = z.strictObject({ current: presentPassword, password })
export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/user/password',
  access: 'user',
  body: changePasswordBody,
  answer: ok,
})

/** The address changes when the link sent to it is opened; whether it belongs to an account is not revealed. */
export const changeEmailBody = z.strictObject({ email, current: presentPassword })
export const changeEmail = defineRoute({
  method: 'POST',
  path: '/api/user/email',
  access: 'user',
  body: changeEmailBody,
  answer: z.strictObject({
    /** false: there is no mail server, and the link is printed on the server's console */
    by_mail: z.boolean(),
  }),
})
/** Works in any browser. */
export const confirmEmail = defineRoute({
  method: 'POST',
  path: '/api/user/email/confirm',
  access: 'public',
  limit: { by: 'address', most: 30 },
  body: z.strictObject({ token: z.string().min(1, 'Required').max(128) }),
  answer: z.strictObject({ email: z.string() }),
})

export const sessionSchema = z.strictObject({
  id: gid,
  /** the browser's own claim; empty for sessions from before this was stored */
  user_agent: z.string(),
  /** the network address that it was used from last; empty for sessions from before this was stored */
  address: z.string(),
  /** where that address belongs */
  network: z.enum(['machine', 'private', 'public', 'unknown']),
  created_at: z.string(),
  /** to the hour */
  seen_at: z.string().nullable(),
  /** whether it is the calling session */
  current: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>
export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  answer: z.strictObject({ sessions: z.array(sessionSchema) }),
})
/** Ends all sessions but the calling one. */
export const endOtherSessions = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions',
  access: 'user',
  answer: z.strictObject({ ended: z.int() }),
})
export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions/:gid',
  access: 'user',
  params: z.strictObject({ gid }),
  answer: ok,
})

/** What is kept of an account. What its person wrote in a project belongs to that project, and is in its exports. */
export const accountDataSchema = z.strictObject({
  account: z.strictObject({
    id: gid,
    email: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    email_verified: z.boolean(),
    /** of the interface and of mails; null: not known */
    language: z.enum(interfaceLanguages).nullable(),
    /** a JPEG, as a data URL; null: none */
    picture: z.string().nullable(),
    /** two-factor sign-in, without what makes its codes; null: off */
    two_factor_since: z.string().nullable(),
    created_at: z.string(),
  }),
  /** without their keys */
  passkeys: z.array(z.strictObject({ name: z.string(), created_at: z.string(), used_at: z.string().nullable() })),
  sessions: z.array(sessionSchema),
  projects: z.array(z.strictObject({ id: gid, name: z.string(), roles: z.array(z.string()), joined_at: z.string() })),
  /** without what lets them in */
  api_keys: z.array(
    z.strictObject({
      name: z.string(),
      project: gid,
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    }),
  ),
  /** notices that were put away, and the like; null: nothing was set */
  settings: z.record(z.string(), z.boolean()).nullable(),
  /** what was answered to the welcome survey, and to the question what should be built next; null: nothing */
  survey: surveyAnswersSchema.nullable(),
  feature_vote: z.string().nullable(),
})
export type AccountData = z.infer<typeof accountDataSchema>
export const readAccountData = defineRoute({
  method: 'GET',
  path: '/api/user/data',
  access: 'user',
  answer: accountDataSchema,
})

/** What happens to the projects if the account is deleted. */
const named = z.array(z.strictObject({ gid, name: z.string() }))
export const deletionSchema = z.strictObject({
  /** without other members: deleted with their content */
  deleted: named,
  /** they stay with their other members */
  left: named,
  /** somebody else must become an owner first */
  blocked: named,
})
export type AccountDeletion = z.infer<typeof deletionSchema>
export const previewDeletion = defineRoute({
  method: 'GET',
  path: '/api/user/deletion',
  access: 'user',
  answer: deletionSchema,
})
export const deleteAccount = defineRoute({
  method: 'DELETE',
  path: '/api/user',
  access: 'user',
  body: z.strictObject({ current: presentPassword }),
  answer: ok,
})
