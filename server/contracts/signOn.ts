import { z } from 'zod'
import { emailAddress } from './fields'
import { defineRoute, gid, ok } from './route'

/** Most domains of a project, and most groups that give a role. */
export const MOST_DOMAINS = 20
export const MOST_GROUPS = 100

/** Roles that a provider may give: owners are made by owners. */
const givenRole = z.literal([2, 3, 4, 5, 6])
const roleOfGroup = z.strictObject({
  value: z.string().trim().min(1, 'Required').max(200, 'Must not exceed 200 characters'),
  role: givenRole,
})
export type RoleOfGroup = z.infer<typeof roleOfGroup>

export const signOnDomainSchema = z.strictObject({
  gid,
  domain: z.string(),
  /** where the TXT record is to be, and what it says */
  record: z.strictObject({ name: z.string(), value: z.string() }),
  proven: z.boolean(),
  /** when it was looked for last */
  checked_at: z.string().nullable(),
  /** since when a proven domain has lacked its record: its proof ends a week later */
  missing_since: z.string().nullable(),
})
export type SignOnDomain = z.infer<typeof signOnDomainSchema>

const connectionFields = {
  issuer: z.string().trim().min(1, 'Required').max(500, 'Must not exceed 500 characters'),
  client_id: z.string().trim().min(1, 'Required').max(300, 'Must not exceed 300 characters'),
  default_role: givenRole,
  role_claim: z.string().trim().max(100, 'Must not exceed 100 characters'),
  role_map: z
    .array(roleOfGroup)
    .max(MOST_GROUPS, `At most ${MOST_GROUPS} groups`)
    .refine((all) => new Set(all.map(({ value }) => value)).size === all.length, 'Name each group once'),
}

/** What becomes of people who make an account with an address at a proven domain. */
export const joinings = ['off', 'ask', 'must'] as const
export type Joining = (typeof joinings)[number]
const joining = z.enum(joinings)

export const signOnSchema = z.strictObject({
  /** null: not set up. The client's secret is in no answer */
  connection: z
    .strictObject({
      ...connectionFields,
      /** members of its domains open the project only by it */
      required: z.boolean(),
      joining,
    })
    .nullable(),
  /** where the provider sends people back to: it has to know it beforehand */
  redirect_address: z.string(),
  domains: z.array(signOnDomainSchema),
  /** where the organisation's directory tells of its people (SCIM 2.0) */
  scim_address: z.string(),
  /** null: it has no token */
  scim: z
    .strictObject({
      /** how the token begins and ends */
      preview: z.string(),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    })
    .nullable(),
})
export type SignOn = z.infer<typeof signOnSchema>

const params = z.strictObject({ pgid: gid })
const oneDomain = z.strictObject({ pgid: gid, gid })
const access = { feature: 'security.update' } as const

export const readSignOn = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/sign-on',
  access,
  params,
  answer: signOnSchema,
})

export const saveSignOnBody = z.strictObject({
  ...connectionFields,
  /** left out: the stored one stays */
  client_secret: z.string().trim().min(1, 'Required').max(1_000, 'Must not exceed 1000 characters').optional(),
})
/** Sets up or changes the provider, which is asked first whether it works. Only for owners. */
export const saveSignOn = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/sign-on',
  access,
  limit: { by: 'user', most: 20 },
  params,
  body: saveSignOnBody,
  answer: signOnSchema,
})
/** Whether members of its domains can open the project by their password too. Only for owners who come by it. */
export const requireSignOn = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/sign-on',
  access,
  params,
  body: z.strictObject({ required: z.boolean() }),
  answer: signOnSchema,
})
/** Whether people of its domains are asked to come in by it as they make an account, or have to. Only for owners. */
export const changeJoining = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/sign-on/joining',
  access,
  params,
  body: z.strictObject({ joining }),
  answer: signOnSchema,
})
/** Members stay, and log in by a password again. Only for owners. */
export const removeSignOn = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/sign-on',
  access,
  params,
  answer: signOnSchema,
})
/** Claims a domain of email addresses. Only for owners. */
export const addSignOnDomain = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/sign-on/domains',
  access,
  params,
  body: z.strictObject({ domain: z.string().trim().min(1, 'Required').max(300, 'Must not exceed 300 characters') }),
  answer: signOnSchema,
})
/** Looks for the TXT record of a domain. Only for owners. */
export const checkSignOnDomain = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/sign-on/domains/:gid/check',
  access,
  limit: { by: 'user', most: 20 },
  params: oneDomain,
  answer: signOnSchema,
})
export const removeSignOnDomain = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/sign-on/domains/:gid',
  access,
  params: oneDomain,
  answer: signOnSchema,
})

/** Makes a token for the directory; the one before stops working. Only for owners. */
export const createScimToken = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/sign-on/scim-token',
  access,
  params,
  /** the one answer with the token: the database has its hash */
  answer: z.strictObject({ token: z.string(), sign_on: signOnSchema }),
})
/** Members stay; the directory can tell of nobody any more. Only for owners. */
export const deleteScimToken = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/sign-on/scim-token',
  access,
  params,
  answer: signOnSchema,
})

export const beginSignOnBody = z.strictObject({
  email: emailAddress(320),
  /** a path of the interface, where the person comes back to */
  next: z.string().max(500).optional(),
})
/** Begins to sign on in this browser: for guests, and for who is logged in by a password where that is not enough. */
export const beginSignOn = defineRoute({
  method: 'POST',
  path: '/api/sign-on/begin',
  access: 'public',
  limit: { by: 'address', most: 30 },
  body: beginSignOnBody,
  /** the provider's page */
  answer: z.strictObject({ url: z.string() }),
})
/** Where a provider sends people back to. It answers by leading on: providers add what they like to the query. */
export const finishSignOn = defineRoute({
  method: 'GET',
  path: '/api/sign-on/:project/callback',
  access: 'public',
  limit: { by: 'address', most: 60 },
  params: z.strictObject({ project: gid }),
  query: z.record(z.string().max(100), z.string().max(8_000)),
  answer: ok,
})

/** Why somebody who came back is not logged in: the screen /sign-on tells. */
export const signOnProblems = [
  'expired',
  'refused',
  'provider',
  'unverified',
  'foreign_domain',
  'other_person',
  'no_seat',
  'deactivated',
  'suspended',
] as const
export type SignOnProblem = (typeof signOnProblems)[number]
