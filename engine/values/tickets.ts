/** Limits of a help desk's block. */
export const ticketCaps = {
  /** digits of an id */
  id: 20,
  /** characters of a comment, and of the tags together */
  body: 20_000,
  tags: 50,
  /** fields of the account that one block sets, and characters of their values */
  fields: 50,
  value: 3_000,
} as const
