import { ScimError } from './scimError'

const MOST = 500

/** What a list is restricted to: one attribute that equals a text. */
export interface Filter<Attribute extends string> {
  attribute: Attribute
  value: string
}
type Attributes<Attribute extends string> = Readonly<Record<string, Attribute>>

/**
 * Reads the filters that directories use to find a person (RFC 7644, 3.4.2.2): `userName eq "…"`, `externalId eq "…"`
 * and `emails.value eq "…"`.
 * @throws ScimError `invalidFilter` for any other
 */
export const userFilter = (text: string) => readFilter(text, ofUsers, 'userName, externalId or emails.value')
/** As userFilter, for groups: `displayName eq "…"` and `externalId eq "…"`. @throws ScimError `invalidFilter` */
export const groupFilter = (text: string) => readFilter(text, ofGroups, 'displayName or externalId')

const ofUsers: Attributes<'userName' | 'externalId' | 'email'> = Object.assign(Object.create(null), {
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
})
const ofGroups: Attributes<'displayName' | 'externalId'> = Object.assign(Object.create(null), {
  displayname: 'displayName',
  externalid: 'externalId',
})

function readFilter<Attribute extends string>(
  text: string,
  known: Attributes<Attribute>,
  names: string,
): Filter<Attribute> {
  const parts = text.length > MOST ? null : /^\s*([\w.[\]]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text)
  const attribute = known[parts?.[1]?.toLowerCase() ?? '']
  const value = parts && attribute ? parsed(parts[2] ?? '') : null
  if (!attribute || value === null) throw new ScimError(400, `Filter by ${names}, with eq.`, 'invalidFilter')
  return { attribute, value }
}

function parsed(literal: string): string | null {
  try {
    return JSON.parse(literal) as string
  } catch {
    return null
  }
}
