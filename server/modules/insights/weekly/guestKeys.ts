import { createHmac, randomBytes } from 'node:crypto'
import { hashToken, newToken } from '../../../access/tokens'
import type { Config } from '../../../platform/config/config'
import { createSecrets } from '../../../platform/secrets/secrets'

interface Place {
  projectId: string
  gid: string
}

/**
 * The tokens in a guest's mails. That to confirm stands in one mail and is kept nowhere; that to end them is in each
 * mail, so it is made of a key that is sealed in the database.
 */
export function createGuestKeys(config: Pick<Config, 'secretKeys' | 'dataDir'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ projectId, gid }: Place) => ({ projectId, row: `weekly_mail_guests/${gid}` })
  return {
    /** The token to confirm, and the columns of the guest. */
    make(place: Place) {
      const [confirm, key] = [newToken(), randomBytes(32).toString('base64url')]
      const columns = {
        sealed_key: secrets.seal(key, placeOf(place)),
        confirm_hash: hashToken(confirm),
        end_hash: hashToken(endOf(key)),
      }
      return { confirm, columns }
    },

    /** The token to end the mails; null if the installation's key is another one by now. */
    end(sealed: string, place: Place): string | null {
      const key = secrets.open(sealed, placeOf(place))
      return key === null ? null : endOf(key)
    },
  }
}
export type GuestKeys = ReturnType<typeof createGuestKeys>

const endOf = (key: string): string => createHmac('sha256', key).update('end').digest('base64url')
