import { z } from 'zod'
import type { Migration } from '../../engine/flow/defineBlock'
import { inputDefaults, inputFields } from '../../engine/flow/inputFields'
import { caps } from '../../engine/values/caps'

export const textInputSchema = z
  .strictObject({
    ...inputFields,
    /** a multi-line field */
    long: z.boolean(),
    minLength: z.int().min(1).max(caps.userMessage),
    maxLength: z.int().min(1).max(caps.userMessage),
  })
  .refine(({ minLength, maxLength }) => minLength <= maxLength, {
    path: ['maxLength'],
    message: 'Must not be below the minimum length',
  })
export type TextInputData = z.infer<typeof textInputSchema>
export const textInputDefaults = (): TextInputData => ({
  ...inputDefaults(''),
  long: false,
  minLength: 1,
  maxLength: caps.userMessage,
})

/** Migrates data from before there was a minimal length. */
export const addMinLength: Migration = { name: 'AddMinLength', up: (data) => ({ ...data, minLength: 1 }) }
