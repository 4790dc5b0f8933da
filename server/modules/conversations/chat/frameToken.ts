import type { ServerContext } from '../../../platform/context'
import { createSecrets } from '../../../platform/secrets/secrets'

interface Chatbot {
  projectId: string
  egid: string
}

/** Long enough for a page that is read; the frame asks for another one when it needs it. */
const GOOD_FOR_MS = 60 * 60_000

/**
 * Makes and reads what says that the server has let a page hold a chatbot: sealed for that chatbot, with the page's
 * origin and an end, by the server's clock alone.
 */
export function createFrameTokens({ config, clock }: Pick<ServerContext, 'config' | 'clock'>) {
  const secrets = createSecrets(config)
  const placeOf = ({ projectId, egid }: Chatbot) => ({ projectId, row: `frame/${egid}` })
  return {
    make: (chatbot: Chatbot, origin: string): string =>
      secrets.seal(JSON.stringify([origin, clock().getTime() + GOOD_FOR_MS]), placeOf(chatbot)),

    /** The origin that it was made for; null for one that is forged, another chatbot's, or over. */
    originOf(chatbot: Chatbot, token: string): string | null {
      const text = secrets.open(token, placeOf(chatbot))
      if (text === null) return null
      const [origin, until] = JSON.parse(text) as [string, number]
      return clock().getTime() < until ? origin : null
    },
  }
}
