import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { mediaUrlRule, urlRule } from '../../engine/values/rules'

export const imageSchema = z.strictObject({
  /** on the web, or a file of this installation */
  url: dynamicValueSchema(caps.url, mediaUrlRule),
  alt: dynamicValueSchema(caps.alt),
  /** opened by a click on the image; empty: none */
  link: dynamicValueSchema(caps.url, urlRule),
})
export type ImageData = z.infer<typeof imageSchema>
export const imageDefaults = (): ImageData => ({ url: staticValue(''), alt: staticValue(''), link: staticValue('') })
