import type { Installation } from '../installation'
import type { Bus } from './bus'
import { createRedisBus } from './redisBus'

/** The bus of one process, for all its parts. */
export function createBus({ config, db, log }: Pick<Installation, 'config' | 'db' | 'log'>): Bus {
  const installation = async () =>
    (await db.selectFrom('installation').select('bus_name').executeTakeFirstOrThrow()).bus_name
  return config.redisUrl ? createRedisBus({ url: config.redisUrl, installation, log }) : alone
}

/** Without REDIS_URL there are no other processes. */
const alone: Bus = { publish() {}, subscribe: () => () => {}, close: async () => {} }
