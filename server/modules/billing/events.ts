import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Of the answer that the credits are for; no chatbot: it was deleted meanwhile. */
const use = { key: z.string(), chatbot_id: z.string().nullable(), amount: z.number().min(0) }

/** AI message credits were put aside before an answer. */
export const creditsReserved = defineEvent('credits.reserved', z.strictObject(use))
/** An answer was paid: what it has cost. */
export const creditsSettled = defineEvent('credits.settled', z.strictObject(use))
/** There were too few left for an answer. */
export const creditsRefused = defineEvent('credits.refused', z.strictObject(use))
