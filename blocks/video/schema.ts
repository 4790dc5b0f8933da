import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { mediaUrlRule } from '../../engine/values/rules'

export const videoSchema = z.strictObject({
  /** a file on the web or of this installation, or a page of YouTube or Vimeo (engine/values/videoSource.ts) */
  url: dynamicValueSchema(caps.url, mediaUrlRule),
  caption: dynamicValueSchema(caps.caption),
})
export type VideoData = z.infer<typeof videoSchema>
export const videoDefaults = (): VideoData => ({ url: staticValue(''), caption: staticValue('') })
