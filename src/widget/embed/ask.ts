import type { EmbedConfig } from '../../../server/contracts/embed'
import { complain } from './say'

/**
 * Reads a chatbot's settings for this page; null if it does not exist or is not allowed here: the console says which.
 */
export async function ask(origin: string, chatbot: string): Promise<EmbedConfig | null> {
  const address = `${origin}/api/embed/${chatbot}?url=${encodeURIComponent(location.href.slice(0, 2_000))}`
  try {
    const answer = await (await fetch(address, { credentials: 'omit' })).json()
    if (answer.success) return answer.data
    complain(`there is no chatbot ${chatbot}, or it is not published.`)
  } catch {
    // the browser says not why: a page that may not hold it is answered all the same, unread
    const isThere = await fetch(address, { mode: 'no-cors', credentials: 'omit' }).catch(() => null)
    complain(
      isThere
        ? `${location.origin} may not show the chatbot ${chatbot}. Its editors add the domain where it is embedded.`
        : `${origin} did not answer. Does the page allow to connect to it (connect-src)?`,
    )
  }
  return null
}
