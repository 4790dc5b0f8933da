import type { BotMessage } from '../../../engine/flow/conversation'
import { channelCapabilities } from '../../contracts/channels'
import { cut } from './cut'
import type { WhatsappMessage } from './whatsappMessage'

type Native = NonNullable<Extract<BotMessage, { kind: 'text' }>['native']>

const { caption: MOST_CAPTION } = channelCapabilities.whatsapp
const MOST = 1_000
/** Characters of a file's name; ours. */
const MOST_NAME = 240

/** A place, a person's card or a document as WhatsApp takes it. */
export function writeNative(native: Native): WhatsappMessage {
  if (native.type === 'location') {
    const { latitude, longitude, name, address } = native
    const words = {
      ...(name !== '' && { name: cut(name, MOST) }),
      ...(address !== '' && { address: cut(address, MOST) }),
    }
    return { type: 'location', location: { latitude, longitude, ...words } }
  }
  if (native.type === 'document') {
    const { url, name, caption } = native
    const words = caption !== '' && { caption: cut(caption, MOST_CAPTION) }
    return { type: 'document', document: { link: url, filename: cut(name, MOST_NAME), ...words } }
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
