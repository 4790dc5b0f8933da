import type { Json } from '../../../engine/values/json'

/** A message as WhatsApp takes it: `type`, and a field of that name (contracts of the vendor, "Sending"). */
export type WhatsappMessage = { type: string } & { [field: string]: Json }
