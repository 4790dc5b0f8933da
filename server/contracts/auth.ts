import { z } from 'zod'
import { emailAddress, presentPassword, shortName } from './fields'
import { interfaceLanguages } from './languages'
import { defineRoute, ok } from './route'

/** Caps of SPEC.md 9: names 75, email 320, password 8 to 50. */
const email = emailAddress(320)
const password = z.string().min(8, 'Must be at least 8 characters').max(50, 'Must not exceed 50 characters')

/** The fields of a new account. */
export const personFields = { first_name: shortName, last_name: shortName, email, password }

export const userSchema = z.strictObject({
  ui: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
})
export type User = z.infer<typeof userSchema>

/** Sets the XSRF-TOKEN cookie (SPEC.md 7 does not name its path). */
export const csrfCookie = defineRoute({ method: 'GET', path: '/api/csrf-cookie', access: 'public', answer: ok })

/** whoever was asked to come in by their organisation's sign-in wants an account of their own all the same */
const ownAccount = z.boolean().optional()

export const registerBody = z.strictObject({
  ...personFields,
  /** from the link printed at the first start; required for the first account */
  setup_token: z.string().max(128).optional(),
  own_account: ownAccount,
})
/** Registrations per address and minute, of any kind. */
const REGISTRATIONS = { by: 'address', most: 60, name: 'registrations' } as const

export const register = defineRoute({
  method: 'POST',
  path: '/api/auth/register',
  access: 'guest',
  limit: REGISTRATIONS,
  body: registerBody,
  answer: z.strictObject({ user: userSchema }),
})

/** From the link in a mail. */
const token = z.string().min(1, 'Required').max(128)

/** If there is a mail server: the response does not reveal whether the address has an account; the mail does. */
/** `language`: of the screen, in which the mail is unless the address has an account. */
export const askToRegisterBody = z.strictObject({
  email,
  language: z.enum(interfaceLanguages).optional(),
  own_account: ownAccount,
})
export const askToRegister = defineRoute({
  method: 'POST',
  path: '/api/auth/register/ask',
  access: 'guest',
  limit: REGISTRATIONS,
  body: askToRegisterBody,
  answer: ok,
})
export const lookAtRegistration = defineRoute({
  method: 'POST',
  path: '/api/auth/register/look',
  access: 'guest',
  body: z.strictObject({ token }),
  /** null: the link is not valid */
  answer: z.strictObject({ email: z.string().nullable() }),
})
export const finishRegistrationBody = z.strictObject({
  token,
  first_name: shortName,
  last_name: shortName,
  password,
})
export const finishRegistration = defineRoute({
  method: 'POST',
  path: '/api/auth/register/finish',
  access: 'guest',
  limit: REGISTRATIONS,
  body: finishRegistrationBody,
  answer: z.strictObject({ user: userSchema }),
})

export const loginBody = z.strictObject({
  email,
  password: presentPassword,
})
export const login = defineRoute({
  method: 'POST',
  path: '/api/auth/login',
  access: 'guest',
  body: loginBody,
  answer: z.strictObject({
    /** null: a code is asked for (server/contracts/two-factor.ts), and nobody is logged in yet */
    user: userSchema.nullable(),
    code_required: z.boolean(),
  }),
})

export const logout = defineRoute({ method: 'POST', path: '/api/auth/logout', access: 'user', answer: ok })
/** Ends all other sessions of the account, and closes what they have open. */
export const logoutElsewhere = defineRoute({
  method: 'POST',
  path: '/api/auth/logout-elsewhere',
  access: 'user',
  answer: z.strictObject({
    /** number of sessions ended */
    ended: z.int(),
  }),
})
export const currentUser = defineRoute({ method: 'GET', path: '/api/user', access: 'user', answer: userSchema })

/** What /login and /register need to know, for guests too: `/api/user` would be an error for them. */
export const installation = defineRoute({
  method: 'GET',
  path: '/api/installation',
  access: 'public',
  answer: z.strictObject({
    has_owner: z.boolean(),
    registration_open: z.boolean(),
    /** by a link in a mail: there is a mail server */
    registration_by_mail: z.boolean(),
    logged_in: z.boolean(),
  }),
})
