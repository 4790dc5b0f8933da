import type { VisibilitySettings } from '../../../contracts/web/settings'
import { ApiError } from '../../../platform/errors'
import type { Limits, SharedAttempts } from '../../../platform/http/limits'

/** Who writes, and to which chatbot. */
export interface Sender {
  chatbotId: string
  /** the browser’s, or the conversation’s where a browser keeps none */
  visitor: string
  address: string
}

/**
 * A minute's worth. Each chatbot has limits of its own, which may change within a minute, and counters have one size: a
 * message costs the share of it that its limit says. Larger than the square of the largest limit, so that rounding
 * costs or gives no message.
 */
const WHOLE = 1e12

export type VisitorLimits = ReturnType<typeof createVisitorLimits>

/**
 * How many messages (a conversation that begins counts as one) a chatbot takes in a minute, as its settings say
 * (SPEC.md 3, end_user_rate_limits).
 */
export function createVisitorLimits(limits: Pick<Limits, 'attempts'>) {
  const counters = {
    visitor: limits.attempts('messages of a visitor', WHOLE),
    address: limits.attempts('messages of an address', WHOLE),
    chatbot: limits.attempts('messages of a chatbot', WHOLE),
  }
  return {
    /** Throws ApiError `visitor_limit` in the words of the settings, without counting for the wider limits. */
    async take({ limits: set }: VisibilitySettings, { chatbotId, visitor, address }: Sender): Promise<void> {
      try {
        await count(counters.visitor, `${chatbotId} ${visitor}`, set.by_visitor)
        await count(counters.address, `${chatbotId} ${address}`, set.by_address)
        await count(counters.chatbot, chatbotId, set.by_chatbot)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error
        throw new ApiError('visitor_limit', {
          ...(set.message && { message: set.message }),
          ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }),
        })
      }
    },
  }
}

async function count(counter: SharedAttempts, key: string, most: number): Promise<void> {
  if (most > 0) await counter.take(key, Math.floor(WHOLE / most))
}
