import { z } from 'zod'

export const startSchema = z.strictObject({})
export type StartData = z.infer<typeof startSchema>
export const startDefaults = (): StartData => ({})
