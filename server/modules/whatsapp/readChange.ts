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

const reactionSchema = z.object({
  type: z.literal('reaction'),
  // without an emoji, it is taken back
  reaction: z.object({ message_id: id, emoji: z.string().catch('') }),
})
const number = z
  .string()
  .regex(/^\d{5,20}$/)
  .optional()
  .catch(undefined)
const NUMBER_CHANGED: ReadonlySet<string> = new Set(['user_changed_number', 'customer_changed_number'])
const systemSchema = z.object({
  type: z.literal('system'),
  system: z.object({
    type: z.string(),
    wa_id: number,
    // how it was called before
    new_wa_id: number,
  }),
})
const unsupportedSchema = z.object({
  type: z.literal('unsupported'),
  unsupported: z.object({ type: z.string() }).optional().catch(undefined),
})

/** What is no message, but is shown beside messages: a reaction to one, or what WhatsApp tells of the person. */
export type Aside =
  | { type: 'reaction'; to: string; emoji: string | null }
  | { type: 'unsupported'; kind?: string }
  | { type: 'number_changed'; phone: string | null }
  | { type: 'identity_changed' }

/** @returns null: the message is none of that kind */
export function readAside(given: Json): Aside | null {
  const reacted = reactionSchema.safeParse(given).data?.reaction
  if (reacted) return { type: 'reaction', to: reacted.message_id, emoji: reacted.emoji || null }
  const unsupported = unsupportedSchema.safeParse(given).data
  if (unsupported)
    return { type: 'unsupported', ...(unsupported.unsupported && { kind: unsupported.unsupported.type }) }
  const system = systemSchema.safeParse(given).data?.system
  if (system && NUMBER_CHANGED.has(system.type))
    return { type: 'number_changed', phone: system.wa_id ?? system.new_wa_id ?? null }
  if (system?.type === 'customer_identity_changed') return { type: 'identity_changed' }
  return null
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
