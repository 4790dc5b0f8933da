import { z } from 'zod'
import { personFields, userSchema } from './auth'
import { defineRoute, gid, ok } from './route'

const { email, password, first_name, last_name } = personFields
/** Asked for again where an account could be taken over or lost. */
const present = z.string().min(1, 'Required').max(50, 'Must not exceed 50 characters')

export const updateProfileBody = z.strictObject({ first_name, last_name })
export const updateProfile = defineRoute({
  method: 'PATCH',
  path: '/api/user',
  access: 'user',
  body: updateProfileBody,
  answer: userSchema,
})

/** Ends every other session of the account. */
export const changePasswordBody = z.strictObject({ current: present, password })
export const changePassword = defineRoute({
  method: 'POST',
  path: '/api/user/password',
  access: 'user',
  body: changePasswordBody,
  answer: ok,
})

/** The address is another one once the link that goes there is opened; whether it belongs to an account already is not told. */
export const changeEmailBody = z.strictObject({ email, current: present })
export const changeEmail = defineRoute({
  method: 'POST',
  path: '/api/user/email',
  access: 'user',
  body: changeEmailBody,
  answer: z.strictObject({
    /** false: there is no mail server, and the link is printed where the server runs */
    by_mail: z.boolean(),
  }),
})
/** In whichever browser the mail is read. */
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
  /** what the browser calls itself; empty for sessions of before this was kept */
  user_agent: z.string(),
  created_at: z.string(),
  /** to the hour */
  seen_at: z.string().nullable(),
  /** the one that asks */
  current: z.boolean(),
})
export type Session = z.infer<typeof sessionSchema>
export const listSessions = defineRoute({
  method: 'GET',
  path: '/api/user/sessions',
  access: 'user',
  answer: z.strictObject({ sessions: z.array(sessionSchema) }),
})
export const endSession = defineRoute({
  method: 'DELETE',
  path: '/api/user/sessions/:gid',
  access: 'user',
  params: z.strictObject({ gid }),
  answer: ok,
})

/** What becomes of the projects when the account is deleted. */
const named = z.array(z.strictObject({ gid, name: z.string() }))
export const deletionSchema = z.strictObject({
  /** nobody else is in them: they are deleted with all they hold */
  deleted: named,
  /** they stay with the others in them */
  left: named,
  /** somebody else has to become an owner of these first */
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
  body: z.strictObject({ current: present }),
  answer: ok,
})
