/**
 * How somebody who has a flow open appears to others. The sync server fills it in from the session in each presence
 * entry; what a client claims to be is ignored.
 */
export interface Person {
  /** the account's public id; several tabs of one account are one person */
  id: string
  name: string
  color: string
  /** read-only */
  viewer: boolean
}

/** An account's name and its colour, which is the same everywhere. */
export function personOf(
  account: { id: string; first_name: string; last_name: string; email: string },
  viewer = false,
): Person {
  const name = `${account.first_name} ${account.last_name}`.trim() || account.email
  let hash = 0
  for (const character of account.id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return { id: account.id, name, color: colors[hash % colors.length] ?? colors[0], viewer }
}

/** Each has enough contrast with white text and with light and dark backgrounds. */
const colors = ['#b4235a', '#7a3bc9', '#3457d5', '#0a6f8f', '#0b7a4b', '#8a5a00', '#c2410c', '#a21caf'] as const
