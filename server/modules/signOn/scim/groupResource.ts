import { z } from 'zod'
import { ScimError } from './scimError'
import { text } from './userResource'

export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
/** People that one call names. */
const MOST_NAMED = 5_000

/** A group as answers have it. */
export interface ScimGroup {
  gid: string
  display_name: string
  external_id: string | null
  created_at: Date
  updated_at: Date
}
/** What a directory wants of a group. */
export interface WantedGroup {
  displayName: string
  externalId: string | null
  members: MemberChange[]
}
/** A step of the change of who is in a group, by ids of people. */
export type MemberChange = { kind: 'add' | 'remove' | 'replace'; ids: readonly string[] } | { kind: 'clear' }

const displayName = text(200).refine((name) => name !== '')
const externalId = text(200)
const member = z.object({ value: z.string().max(100), type: z.string().max(20).nullish() })
const members = z.union([z.array(member).max(MOST_NAMED), member.transform((one) => [one])])

export const groupBody = z.object({
  displayName,
  externalId: externalId.nullish(),
  members: z.array(member).max(MOST_NAMED).nullish(),
})

/** A group that is made, or put in the place of what was there. */
export const wantedGroup = (body: z.infer<typeof groupBody>): WantedGroup => ({
  ...{ displayName: body.displayName, externalId: body.externalId || null },
  members: [{ kind: 'replace', ids: idsOf(body.members ?? []) }],
})

const operation = z.object({
  op: z.string().max(20),
  path: z.string().max(300).optional(),
  value: z.unknown().optional(),
})
export const groupPatchBody = z.object({ Operations: z.array(operation).min(1).max(1_000) })

/** `members[value eq "…"]`, by which a directory takes one person out. */
const oneMember = /^members\[\s*value\s+eq\s+"([^"\\]{1,100})"\s*\]$/i

/**
 * What a group is to be after a change (RFC 7644, 3.5.2), in the forms that directories send: people as a list or one
 * alone, removed by value or by filter, values with a path or as an object without one. Others change nothing.
 * @throws ScimError for what is no such change
 */
export function patchedGroup(present: ScimGroup, { Operations }: z.infer<typeof groupPatchBody>): WantedGroup {
  const wanted: WantedGroup = {
    ...{ displayName: present.display_name, externalId: present.external_id, members: [] },
  }
  for (const { op, path, value } of Operations) {
    const kind = op.toLowerCase()
    if (kind !== 'add' && kind !== 'replace' && kind !== 'remove')
      throw new ScimError(400, 'An operation is add, replace or remove.', 'invalidSyntax')
    if (path !== undefined) {
      set(wanted, kind, path, value)
      continue
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw new ScimError(400, 'An operation without a path has an object of values.', 'invalidValue')
    for (const [name, given] of Object.entries(value)) set(wanted, kind, name, given)
  }
  return wanted
}

function set(wanted: WantedGroup, kind: 'add' | 'remove' | 'replace', path: string, value: unknown): void {
  const plain = path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:Group:/i, '')
  const name = plain.toLowerCase()
  const [, one] = oneMember.exec(plain) ?? []
  if (one !== undefined) {
    if (kind !== 'remove') throw new ScimError(400, 'A person of a group is only removed by a filter.', 'invalidPath')
    note(wanted.members, { kind, ids: [one] })
  } else if (name.startsWith('members[')) {
    throw new ScimError(400, 'People of a group are found by members[value eq "…"].', 'invalidPath')
  } else if (name === 'members') {
    const isAll = kind === 'remove' && (value === undefined || value === null)
    note(wanted.members, isAll ? { kind: 'clear' } : { kind, ids: idsOf(read('members', members, value)) })
  } else if (name === 'displayname') {
    if (kind === 'remove') throw new ScimError(400, 'A group keeps its displayName.', 'mutability')
    wanted.displayName = read('displayName', displayName, value)
  } else if (name === 'externalid') {
    wanted.externalId = kind === 'remove' ? null : read('externalId', externalId, value) || null
  }
}

/** Directories send a step for each person: steps of one kind in a row are one. */
function note(changes: MemberChange[], change: MemberChange): void {
  const last = changes.at(-1)
  const isMore = last?.kind === change.kind && (last.kind === 'add' || last.kind === 'remove')
  if (isMore && 'ids' in change)
    changes[changes.length - 1] = { ...last, ids: [...new Set([...last.ids, ...change.ids])] }
  else changes.push(change)
}

function read<Value>(name: string, schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value)
  if (!result.success) throw new ScimError(400, `The value of ${name} is not of its kind.`, 'invalidValue')
  return result.data
}

/** @throws ScimError for a group in a group */
function idsOf(given: readonly z.infer<typeof member>[]): string[] {
  if (given.some(({ type }) => type?.toLowerCase() === 'group'))
    throw new ScimError(400, 'A group holds people: send the people of groups that are in it.', 'invalidValue')
  return [...new Set(given.map(({ value }) => value))]
}

/** @param people ids of those in the group; null: left out, as the directory asked */
export const presentGroup = (group: ScimGroup, people: readonly string[] | null, base: string) => ({
  schemas: [GROUP_SCHEMA],
  id: group.gid,
  ...(group.external_id !== null && { externalId: group.external_id }),
  displayName: group.display_name,
  ...(people && {
    members: people.map((value) => ({ value, $ref: `${base}/Users/${value}`, type: 'User' })),
  }),
  meta: {
    resourceType: 'Group',
    created: group.created_at.toISOString(),
    lastModified: group.updated_at.toISOString(),
    location: `${base}/Groups/${group.gid}`,
  },
})
