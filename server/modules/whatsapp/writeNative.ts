import type { BotMessage } from '../../../engine/flow/conversation'
import { cut } from './cut'
import type { WhatsappMessage } from './whatsappMessage'

type Native = NonNullable<Extract<BotMessage, { kind: 'text' }>['native']>

const MOST = 1_000

/** A place or a person's card as WhatsApp takes it. */
export function writeNative(native: Native): WhatsappMessage {
  if (native.type === 'location') {
    const { latitude, longitude, name, address } = native
    const words = {
      ...(name !== '' && { name: cut(name, MOST) }),
      ...(address !== '' && { address: cut(address, MOST) }),
    }
    return { type: 'location', location: { latitude, longitude, ...words } }
  }
  const { name, phone, email, company, url } = native
  return {
    type: 'contacts',
    contacts: [
      {
        name: { formatted_name: name, first_name: name },
        ...(phone !== '' && { phones: [{ phone, type: 'WORK' }] }),
        ...(email !== '' && { emails: [{ email, type: 'WORK' }] }),
        ...(company !== '' && { org: { company } }),
        ...(url !== '' && { urls: [{ url, type: 'WORK' }] }),
      },
    ],
  }
}
