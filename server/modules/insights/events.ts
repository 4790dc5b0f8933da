import { z } from 'zod'
import { leadStatuses } from '../../contracts/leads'
import { defineEvent } from '../../platform/events/defineEvent'

/** Only ids: personal data is erased with the row. */
const lead = z.strictObject({ lead: z.string() })

/** `owner`: of the member; null: nobody. */
export const leadChanged = defineEvent(
  'lead.changed',
  lead.extend({ status: z.enum(leadStatuses), owner: z.string().nullable() }),
)
export const leadDeleted = defineEvent('lead.deleted', lead)

/** A member's own weekly mail. `chatbot`: its gid; null: of all chatbots. */
export const weeklyMailChanged = defineEvent(
  'weekly_mail.changed',
  z.strictObject({ chatbot: z.string().nullable(), enabled: z.boolean() }),
)
const guest = z.strictObject({ guest: z.string() })
/** Somebody without an account is asked whether they want it too. */
export const weeklyGuestAdded = defineEvent('weekly_guest.added', guest)
export const weeklyGuestRemoved = defineEvent('weekly_guest.removed', guest)
