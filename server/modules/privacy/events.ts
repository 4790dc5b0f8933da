import { z } from 'zod'
import { redactable } from '../../contracts/privacy'
import { defineEvent } from '../../platform/events/defineEvent'

export const personErased = defineEvent(
  'person.erased',
  z.strictObject({ contact: z.string(), conversations: z.int(), leads: z.int() }),
)
export const retentionChanged = defineEvent(
  'retention.changed',
  z.strictObject({
    delete_after_days: z.int().nullable(),
    redact_after_days: z.int().nullable(),
    redact: z.array(z.enum(redactable)),
  }),
)
