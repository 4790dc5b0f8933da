import { z } from 'zod'
import { ScimError } from './scimError'
import { attributes, rolesNamed, type ScimPerson, type WantedUser } from './userResource'

const operation = z.object({
  op: z.string().max(20),
  path: z.string().max(300).optional(),
  value: z.unknown().optional(),
})
export const patchBody = z.object({ Operations: z.array(operation).min(1).max(100) })

/**
 * What a person is to be after a change (RFC 7644, 3.5.2): adding and replacing a single value is the same. Attributes
 * that are not kept change nothing.
 * @throws ScimError for a value of the wrong kind, and for another address: that is the person's own to change
 */
export function patched(present: ScimPerson, { Operations }: z.infer<typeof patchBody>): WantedUser {
  const wanted: WantedUser = {
    ...{ userName: present.user_name ?? present.email, externalId: present.external_id, email: present.email },
    ...{ givenName: present.given_name, familyName: present.family_name, active: present.active, roles: null },
  }
  for (const { op, path, value } of Operations) {
    const kind = op.toLowerCase()
    if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
      throw new ScimError(400, 'An operation is add, replace or remove.', 'invalidSyntax')
    if (path === undefined && (typeof value !== 'object' || value === null || Array.isArray(value)))
      throw new ScimError(400, 'An operation without a path has an object of values.', 'invalidValue')
    const pairs = path === undefined ? flat(value as object) : [[path, value] as const]
    for (const [name, given] of pairs) set(wanted, name, kind === 'remove' ? undefined : given)
  }
  return wanted
}

/** `{ name: { givenName } }` as `name.givenName`, one level down. */
const flat = (value: object): (readonly [string, unknown])[] =>
  Object.entries(value).flatMap(([name, inner]) =>
    name.toLowerCase() === 'name' && typeof inner === 'object' && inner !== null
      ? Object.entries(inner).map(([part, given]) => [`name.${part}`, given] as const)
      : [[name, inner] as const],
  )

function set(wanted: WantedUser, path: string, value: unknown): void {
  const name = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:User:/i, '').toLowerCase()
  const isRemoved = value === undefined
  if (name === 'active') wanted.active = isRemoved ? true : read('active', value)
  else if (name === 'username' && !isRemoved) wanted.userName = read('username', value)
  else if (name === 'externalid') wanted.externalId = isRemoved ? null : read('externalid', value) || null
  else if (name === 'name.givenname') wanted.givenName = isRemoved ? '' : read('name.givenname', value)
  else if (name === 'name.familyname') wanted.familyName = isRemoved ? '' : read('name.familyname', value)
  else if (name === 'roles' && !isRemoved) wanted.roles = rolesNamed(read('roles', value))
  else if (/^emails\b/.test(name) && !isRemoved && !holds(value, wanted.email))
    throw new ScimError(400, 'The address of an account is changed by the person alone.', 'mutability')
}

function read<Name extends keyof typeof attributes>(name: Name, value: unknown): z.infer<(typeof attributes)[Name]> {
  const result = attributes[name].safeParse(value)
  if (!result.success) throw new ScimError(400, `The value of ${name} is not of its kind.`, 'invalidValue')
  return result.data as z.infer<(typeof attributes)[Name]>
}

/** Whether what is said of addresses names the account's own. */
function holds(value: unknown, email: string): boolean {
  const all = (Array.isArray(value) ? value.slice(0, 20) : [value]).map((each: unknown) =>
    typeof each === 'object' && each !== null && 'value' in each ? each.value : each,
  )
  return all.some((each) => typeof each === 'string' && each.toLowerCase() === email)
}
