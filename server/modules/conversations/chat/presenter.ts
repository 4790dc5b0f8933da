import type { z } from 'zod'
import type { InputRequest } from '../../../../engine/flow/conversation'
import { caps } from '../../../../engine/values/caps'
import type { ChatMessage, conversationSchema } from '../../../contracts/chat'
import { pictureAddress } from '../../../contracts/pictures'
import { onCdn, type StorageBases } from '../../../platform/http/storageUrl'
import { isReopenable, type Said, type Transcript } from '../runtime/rows'

/** While a person has the conversation, the visitor may write at any time. */
const TO_PERSON: InputRequest = {
  input: 'text',
  placeholder: '',
  required: true,
  long: true,
  maxLength: caps.userMessage,
}

/**
 * A conversation as its visitor may see it. Nothing is asked while a turn is under way or over.
 * @param bases where its files are loaded from; null: this server, for members
 */
export function presentConversation(
  bases: StorageBases | null,
  { gid, status, state, session, messages, assignee_id, before, away }: Transcript,
): z.infer<typeof conversationSchema> {
  const isPersons = status === 'person'
  // the person who closed it goes on when the visitor writes again
  const isForPerson = isPersons || isReopenable({ status, assignee_id })
  return {
    id: gid,
    state: state === 'ended' && !isPersons ? 'ended' : 'waiting',
    request: isForPerson ? TO_PERSON : state === 'waiting' ? session.request : null,
    messages: messages.map((message) => presentMessage(bases, gid, message)),
    ...(before !== undefined && { before }),
    ...(away && { away: { message: away.message, opens_at: away.opensAt?.toISOString() ?? null } }),
    ...((isPersons || status === 'waiting') && { people: true as const }),
  }
}

/** A conversation as a page opens it: of a long one the newest messages, and whether there are others before them. */
export function presentOpening(bases: StorageBases | null, transcript: Transcript): z.infer<typeof conversationSchema> {
  return { ...presentConversation(bases, transcript), earlier: (transcript.messages[0]?.seq ?? 1) > 1 }
}

export function presentMessage(
  bases: StorageBases | null,
  gid: string,
  { seq, author, content, client_id, created_at, helpful = null, sender, picture }: Said,
): ChatMessage {
  return {
    id: `${gid}-${seq}`,
    seq,
    author,
    content: onCdn(bases, content),
    ...(client_id && { client_id }),
    at: created_at.toISOString(),
    ...(helpful !== null && { helpful }),
    ...(sender && { sender }),
    ...(picture && { picture: pictureAddress(picture) ?? '' }),
  }
}
