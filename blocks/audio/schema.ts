import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { mediaUrlRule } from '../../engine/values/rules'

export const audioSchema = z.strictObject({
  /** on the web, or a file of this installation */
  url: dynamicValueSchema(caps.url, mediaUrlRule),
  caption: dynamicValueSchema(caps.caption),
})
export type AudioData = z.infer<typeof audioSchema>
export const audioDefaults = (): AudioData => ({ url: staticValue(''), caption: staticValue('') })
