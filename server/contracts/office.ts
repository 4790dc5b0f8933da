import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { openHours } from './openHours'

export const AWAY_CAP = 1_000
/** Two weeks of open minutes. */
export const TARGET_CAP = 20_160
const minutes = z.int('Enter whole minutes').min(1, 'At least 1 minute').max(TARGET_CAP, 'At most 20,160 minutes')

/** When people answer visitors, and how soon. What a team leaves open is as its project has it. */
export const officeSchema = z.strictObject({
  /** null: at all times */
  hours: z.strictObject(openHours).nullable().default(null),
  /** what a visitor reads who waits outside of the hours; empty: words of the chat's own */
  away_message: z.string().trim().max(AWAY_CAP, tooLong(AWAY_CAP)).default(''),
  /** in minutes within the hours; null: none is set */
  first_answer_minutes: minutes.nullable().default(null),
  resolution_minutes: minutes.nullable().default(null),
})
export type Office = z.infer<typeof officeSchema>
