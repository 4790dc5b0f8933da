import { z } from 'zod'
import { defineEvent } from '../../platform/events/defineEvent'

/** Of the answer; no chatbot: it was deleted meanwhile. */
const use = { key: z.string(), chatbot_id: z.string().nullable(), amount: z.number().min(0) }

/** What a project has: its plan, and how many of each add-on. */
export const paid = z.strictObject({ plan_id: z.string(), addons: z.record(z.string(), z.number()) })

/** The project has another plan or other add-ons. */
export const planChanged = defineEvent('project.plan_changed', z.strictObject({ before: paid, after: paid }))
/** An owner chose what stays within a limit of the plan, by ids; none: the oldest does. */
export const stayChosen = defineEvent(
  'project.stay_chosen',
  z.strictObject({ limit: z.enum(['chatbots', 'seats', 'custom_domains']), chosen: z.array(z.string()) }),
)
/** The project has another price of a credit; null: none of its own. */
export const creditPriceChanged = defineEvent(
  'project.credit_price_changed',
  z.strictObject({ price: z.number().nullable(), currency: z.string().nullable() }),
)
/** AI message credits were reserved before an answer. */
export const creditsReserved = defineEvent('credits.reserved', z.strictObject(use))
/** An answer was charged its actual cost. */
export const creditsSettled = defineEvent('credits.settled', z.strictObject(use))
/** Too few credits were left for an answer. */
export const creditsRefused = defineEvent('credits.refused', z.strictObject(use))
