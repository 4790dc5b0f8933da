import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { urlRule } from '../../engine/values/rules'

export const HEIGHT = { min: 100, max: 1_000 } as const

export const embedSchema = z.strictObject({
  url: dynamicValueSchema(caps.url, urlRule),
  /** the frame's accessible name */
  title: dynamicValueSchema(caps.cardTitle),
  /** px */
  height: z.int().min(HEIGHT.min).max(HEIGHT.max),
})
export type EmbedData = z.infer<typeof embedSchema>
export const embedDefaults = (): EmbedData => ({ url: staticValue(''), title: staticValue(''), height: 400 })
