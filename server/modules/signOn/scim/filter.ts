import { ScimError } from './scimError'

const MOST = 500

/** What a list is restricted to: one attribute that equals a text, in lower case. */
export interface UserFilter {
  attribute: 'userName' | 'externalId' | 'email'
  value: string
}

/**
 * Reads the filters that directories use to find a person (RFC 7644, 3.4.2.2): `userName eq "…"`, `externalId eq "…"`
 * and `emails.value eq "…"`.
 * @throws ScimError `invalidFilter` for any other
 */
export function readFilter(text: string): UserFilter {
  const parts = text.length > MOST ? null : /^\s*([\w.[\]]+)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text)
  const attribute = known[parts?.[1]?.toLowerCase() ?? '']
  const value = parts && attribute ? parsed(parts[2] ?? '') : null
  if (!attribute || value === null)
    throw new ScimError(400, 'Filter by userName, externalId or emails.value, with eq.', 'invalidFilter')
  return { attribute, value }
}

const known: Readonly<Record<string, UserFilter['attribute']>> = Object.assign(Object.create(null), {
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
})

function parsed(literal: string): string | null {
  try {
    return JSON.parse(literal) as string
  } catch {
    return null
  }
}
