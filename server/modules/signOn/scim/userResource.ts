import { z } from 'zod'
import { cleanText } from '../../../../engine/values/cleanText'
import { roleNames } from '../../../access/roles'
import { ScimError } from './scimError'

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User'

/** A person as the directory and the project have them. */
export interface ScimPerson {
  gid: string
  user_id: string
  email: string
  user_name: string | null
  external_id: string | null
  given_name: string
  family_name: string
  active: boolean
  /** of the membership; null: no member */
  roles: number[] | null
  created_at: Date
  updated_at: Date
}

/** What a directory wants a person to be. */
export interface WantedUser {
  userName: string
  externalId: string | null
  givenName: string
  familyName: string
  active: boolean
  /** the account's; what is looked at as it is made alone */
  email: string
  /** null: as the project gives them */
  roles: number[] | null
}

/** A text of at most so many characters, without those that nobody sees. */
export const text = (most: number) =>
  z
    .string()
    .max(most)
    .transform((given) => cleanText(given).trim())
/** Some directories send booleans as texts. */
const flag = z.union([
  z.boolean(),
  z.stringFormat('boolean', /^(?:true|false)$/i).transform((given) => given.toLowerCase() === 'true'),
])
const emails = z.array(z.object({ value: text(320), primary: flag.optional() })).max(20)
const roles = z.array(z.union([text(100), z.object({ value: text(100) }).transform(({ value }) => value)])).max(20)

/** What of a user is kept; other attributes are left out, as RFC 7644 (3.3) allows. */
export const userBody = z.object({
  userName: text(320).refine((name) => name !== ''),
  externalId: text(300).nullish(),
  name: z.object({ givenName: text(75).nullish(), familyName: text(75).nullish() }).nullish(),
  active: flag.optional(),
  emails: emails.nullish(),
  roles: roles.nullish(),
})
/** The values that a change may set, one by one. */
export const attributes = {
  active: flag,
  username: text(320).refine((name) => name !== ''),
  externalid: text(300),
  'name.givenname': text(75),
  'name.familyname': text(75),
  roles,
}

const roleByName = new Map(Object.entries(roleNames).map(([role, name]) => [name.toLowerCase(), Number(role)] as const))

/** @throws ScimError for an unknown role, and for the owner's: owners are made by owners */
export function rolesNamed(names: readonly string[]): number[] | null {
  if (names.length === 0) return null
  const found = names.map((name) => roleByName.get(name.toLowerCase()))
  if (found.some((role) => role === undefined || role === 1))
    throw new ScimError(400, 'A role is Admin, Editor, Analyst, Billing or Viewer.', 'invalidValue')
  return [...new Set(found as number[])].sort()
}

/** @param present of a person who is changed; null: a new one */
export function wantedOf(body: z.infer<typeof userBody>, present: ScimPerson | null): WantedUser {
  const email = body.emails?.find(({ primary }) => primary) ?? body.emails?.[0]
  return {
    userName: body.userName,
    externalId: body.externalId || null,
    givenName: body.name?.givenName ?? '',
    familyName: body.name?.familyName ?? '',
    active: body.active ?? true,
    email: (present?.email ?? email?.value ?? body.userName).toLowerCase(),
    roles: rolesNamed(body.roles ?? []),
  }
}

/** A person as answers have them. @param base the address of the service */
export const presentUser = (person: ScimPerson, base: string) => ({
  schemas: [USER_SCHEMA],
  id: person.gid,
  ...(person.external_id !== null && { externalId: person.external_id }),
  userName: person.user_name ?? person.email,
  name: { givenName: person.given_name, familyName: person.family_name },
  active: person.active,
  emails: [{ value: person.email, type: 'work', primary: true }],
  roles: (person.roles ?? []).map((role) => ({ value: roleNames[role as keyof typeof roleNames] })),
  meta: {
    resourceType: 'User',
    created: person.created_at.toISOString(),
    lastModified: person.updated_at.toISOString(),
    location: `${base}/Users/${person.gid}`,
  },
})
