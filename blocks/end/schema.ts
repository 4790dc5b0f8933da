import { z } from 'zod'

export const endSchema = z.strictObject({})
export type EndData = z.infer<typeof endSchema>
export const endDefaults = (): EndData => ({})
