import { z } from 'zod'
import type { Json } from '../../../engine/values/json'
import type { MessageChange } from '../conversations/channels/changeMessage'
import { readMessage } from './readMessage'

const id = z.string().min(1).max(512)
const editSchema = z.object({
  type: z.literal('edit'),
  edit: z.object({ original_message_id: id, message: z.looseObject({ type: z.string() }) }),
})
const revokeSchema = z.object({ type: z.literal('revoke'), revoke: z.object({ original_message_id: id }) })

/** What a person did to an earlier message. */
export interface Change {
  /** which, as WhatsApp calls it */
  original: string
  change: MessageChange
}

/** @returns null: the message is none of that kind */
export function readChange(given: Json): Change | null {
  const revoked = revokeSchema.safeParse(given).data
  if (revoked) return { original: revoked.revoke.original_message_id, change: { type: 'deleted' } }
  const edited = editSchema.safeParse(given).data
  if (!edited) return null
  const said = edited.edit.message.type === 'edit' ? null : readMessage(edited.edit.message as Json)
  const original = edited.edit.original_message_id
  return said && said.text !== '' ? { original, change: { type: 'edited', text: said.text } } : null
}
