import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an account can prove a second factor, by codes or a passkey, as SQL of a query that has `users`: for what has
 * no session.
 */
export const hasSecondFactor: RawBuilder<boolean> = sql<boolean>`(exists (select from two_factors
  where two_factors.user_id = users.id and two_factors.confirmed_at is not null)
  or exists (select from passkeys where passkeys.user_id = users.id))`
