import type { Db } from '../../platform/database/database'
import type { SubscriptionState } from './subscriptionState'

/** A project's subscription as it was read last; null: there has been none. @param db of that project alone */
export const storedState = async (db: Db): Promise<SubscriptionState | null> =>
  (await db.selectFrom('subscriptions').select('state').executeTakeFirst())?.state ?? null
