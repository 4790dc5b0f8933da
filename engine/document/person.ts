/**
 * How the others see somebody who has a flow open. The sync server writes it into each entry of presence itself, from the session: what
 * a client says of who it is counts for nothing.
 */
export interface Person {
  /** the account's public id; somebody with two tabs is one person */
  id: string
  name: string
  color: string
  /** may only read */
  viewer: boolean
}

/** An account's name, and the same colour wherever one meets it. */
export function personOf(
  account: { id: string; first_name: string; last_name: string; email: string },
  viewer = false,
): Person {
  const name = `${account.first_name} ${account.last_name}`.trim() || account.email
  let hash = 0
  for (const character of account.id) hash = (Math.imul(hash, 31) + (character.codePointAt(0) ?? 0)) >>> 0
  return { id: account.id, name, color: colors[hash % colors.length] ?? colors[0], viewer }
}

/** White reads well on each of them, and each stands out on light and on dark. */
const colors = ['#b4235a', '#7a3bc9', '#3457d5', '#0a6f8f', '#0b7a4b', '#8a5a00', '#c2410c', '#a21caf'] as const
