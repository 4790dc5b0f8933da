import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { LONGEST_WAIT } from '../../engine/values/caps'
import { NUMBER_RANGE } from '../../engine/values/rules'

/** Seconds of each unit. */
export const units = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 } as const
export type Unit = keyof typeof units
export const unitNames = Object.keys(units) as [Unit, ...Unit[]]

export const waitSchema = z
  .strictObject({
    amount: z.number().min(NUMBER_RANGE.min).max(NUMBER_RANGE.max),
    unit: z.enum(unitNames),
    /** the amount, instead of a fixed one */
    variableId: idSchema.nullable(),
  })
  .refine(({ amount, unit }) => amount * units[unit] >= 1 && amount * units[unit] <= LONGEST_WAIT, {
    path: ['amount'],
    message: 'Must be between 1 second and 30 days',
  })
export type WaitData = z.infer<typeof waitSchema>
export const waitDefaults = (): WaitData => ({ amount: 2, unit: 'seconds', variableId: null })
