import { z } from 'zod'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { NUMBER_RANGE } from '../../engine/values/rules'

const limit = z.number().min(NUMBER_RANGE.min).max(NUMBER_RANGE.max).nullable()

export const numberInputSchema = z
  .strictObject({ ...inputFields, integer: z.boolean(), min: limit, max: limit })
  .refine(({ min, max }) => min === null || max === null || min <= max, {
    path: ['max'],
    message: 'Must not be below the minimum',
  })
export type NumberInputData = z.infer<typeof numberInputSchema>
export const numberInputDefaults = (): NumberInputData => ({
  ...inputDefaults(''),
  integer: false,
  min: null,
  max: null,
})
