import type { Setup } from '../contracts/chatbots'
import { ApiError } from '../platform/errors'
import type { ChatbotRow } from './chatbots'

type Known = Pick<ChatbotRow, 'has_sources' | 'business_name' | 'business_description'>

/** Which parts of a chatbot's set-up are complete (SPEC.md 4). */
export const setupOf = (row: Known): Setup => ({
  sources: Boolean(row.has_sources),
  details: row.business_name.trim() !== '' && row.business_description.trim() !== '',
})

/**
 * Call before a chatbot answers on its own.
 * @throws ApiError `setup_missing` with SPEC.md 8's sentences, and the missing parts' names in `missing`
 */
export function refuseWithoutSetup(row: Known): void {
  const setup = setupOf(row)
  const missing = (['sources', 'details'] as const).filter((part) => !setup[part])
  const [part] = missing
  if (!part) return
  throw new ApiError('setup_missing', {
    ...(missing.length === 1 && { message: alone[part] }),
    details: { missing },
  })
}

const alone: Record<keyof Setup, string> = {
  sources: 'You need to add at least one data source before you can test the chatbot.',
  details:
    'You need to add the basic chatbot details before you can test it. Go to Chatbot Settings > General to complete it.',
}
