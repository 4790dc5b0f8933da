import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { urlRule } from '../../engine/values/rules'

export const redirectSchema = z.strictObject({
  url: dynamicValueSchema(caps.url, urlRule),
  /** otherwise it replaces the page that contains the chat */
  newTab: z.boolean(),
})
export type RedirectData = z.infer<typeof redirectSchema>
export const redirectDefaults = (): RedirectData => ({ url: staticValue(''), newTab: false })
