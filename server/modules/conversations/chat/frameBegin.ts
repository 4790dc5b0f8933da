import { caps } from '../../../../engine/values/caps'
import { language, startConversation } from '../../../contracts/chat'
import type { BegunChat } from '../../../contracts/firstView'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { findPublished } from './findPublished'
import { createFrameTokens } from './frameToken'
import type { createStart } from './startChat'

interface Opening {
  /** what the server has let the page have that holds the frame */
  token: string
  /** that page's address */
  url: string
  /** the browser's, as it names it */
  language: string | undefined
  /** the caller's, for limits */
  address: string
}

/**
 * Makes what begins a conversation with the page of a frame, for a visitor who presses the launcher and of whom the
 * browser knows nothing yet: what it is to keep of the visitor is made here.
 * @returns null where none begins so: without the token of a page that may hold the chat, or where the server refuses;
 *   the page then asks for itself, and shows why
 */
export function createFrameBegin(context: ServerContext, start: ReturnType<typeof createStart>) {
  const { limits, config, ids, admission } = context
  const tokens = createFrameTokens(context)
  const { path, method } = startConversation
  // one count, whichever way a conversation begins
  const starts = limits.attempts(`${method} ${path}`, config.chatStartsPerMinute || Infinity)

  return async (
    found: Awaited<ReturnType<typeof findPublished>>,
    { token, url, language: said, address }: Opening,
  ): Promise<BegunChat | null> => {
    if (tokens.originOf(found, token) === null) return null
    const slug = `@${found.egid}`
    const [visitor, visit, client_id] = [ids(), ids(), ids()]
    const asked = {
      client_id,
      visitor,
      visit,
      frame: token,
      url: url.slice(0, caps.url),
      ...(language.safeParse(said).success && { language: said }),
    }
    try {
      await starts.take(address)
      await admission.shed('turn', { slug })
      const { token: ticket, conversation } = await admission.run('turn', { slug }, (place) =>
        start(asked, { slug, address, place }),
      )
      return { visitor, visit, token: ticket, conversation }
    } catch (error) {
      if (error instanceof ApiError) return null
      throw error
    }
  }
}
