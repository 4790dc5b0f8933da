import type { Json } from '../../../engine/values/json'
import { isFileUrl } from '../../../engine/values/url'
import { callbackDataOf } from './statuses'
import type { WhatsappMessage } from './whatsappMessage'

export interface Part {
  /** a phone number, or the id of a person without one */
  to: { to: string } | { recipient: string | null }
  /** the delivery, and which of its messages it is */
  key: string
  part: number
}

/** The body of the call that sends a message (contracts of the vendor, "Sending"). @param origin this installation's */
export const requestBodyOf = (message: WhatsappMessage, { to, key, part }: Part, origin: string): Json => ({
  ...{ messaging_product: 'whatsapp', recipient_type: 'individual', ...to, ...withWholeLinks(message, origin) },
  biz_opaque_callback_data: callbackDataOf(key, part),
})

/** WhatsApp fetches files by their whole addresses, also those of this installation. */
const withWholeLinks = (message: WhatsappMessage, origin: string): WhatsappMessage =>
  JSON.parse(JSON.stringify(message), (key, value: unknown) =>
    key === 'link' && typeof value === 'string' && isFileUrl(value) ? origin + value : value,
  )
