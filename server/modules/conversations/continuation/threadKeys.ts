import { createHmac, randomBytes } from 'node:crypto'
import { hashToken } from '../../../access/tokens'
import type { Config } from '../../../platform/config/config'
import { createSecrets } from '../../../platform/secrets/secrets'

/** What a thread's mails hold: who has one is taken for the visitor. */
export interface ThreadTokens {
  /** opens the conversation */
  link: string
  /** in the address that replies go to; letters and digits, since mail servers may change the case */
  reply: string
  /** ends such mails */
  unsubscribe: string
}

interface Place {
  projectId: string
  conversationId: string
}

/**
 * The tokens of threads: each is a signature by the thread's own key, which is sealed in the database, beside hashes of
 * the tokens. So every mail of a thread has the same ones, and a copy of the database has none.
 */
export function createThreadKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ projectId, conversationId }: Place) => ({ projectId, row: `mail_threads/${conversationId}` })
  return {
    /** The columns of a new thread. */
    make(place: Place) {
      const key = randomBytes(32)
      const { link, reply, unsubscribe } = tokensOf(key)
      return {
        sealed_key: secrets.seal(key.toString('base64url'), placeOf(place)),
        link_hash: hashToken(link),
        reply_hash: hashToken(reply),
        unsubscribe_hash: hashToken(unsubscribe),
      }
    },

    /** @returns null if the installation's key is another one by now */
    open(sealed: string, place: Place): ThreadTokens | null {
      const key = secrets.open(sealed, placeOf(place))
      return key === null ? null : tokensOf(Buffer.from(key, 'base64url'))
    },
  }
}
export type ThreadKeys = ReturnType<typeof createThreadKeys>

function tokensOf(key: Buffer): ThreadTokens {
  const sign = (what: string) => createHmac('sha256', key).update(what).digest()
  return {
    link: sign('link').toString('base64url'),
    // 128 bits: a mail address has 64 characters before its @
    reply: sign('reply').toString('hex').slice(0, 32),
    unsubscribe: sign('unsubscribe').toString('base64url'),
  }
}
