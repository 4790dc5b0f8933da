import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

const days = z.int().nullable()
export const housekeepingChanged = defineEvent(
  'housekeeping.changed',
  z.strictObject({
    ...{ tests_after_days: days, steps_after_days: days, mails_after_days: days },
    // not in what was written before
    versions_kept: days.optional(),
  }),
)
export const conversationDeleted = defineEvent('conversation.deleted', z.strictObject({ conversation: z.string() }))
