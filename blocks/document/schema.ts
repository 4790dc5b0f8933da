import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { mediaUrlRule } from '../../engine/values/rules'

/** Characters of a file's name. */
export const MOST_NAME = 255

export const documentSchema = z.strictObject({
  /** on the web, or a file of this installation */
  url: dynamicValueSchema(caps.url, mediaUrlRule),
  /** what the file is called where it arrives; empty: as its address ends */
  name: dynamicValueSchema(MOST_NAME),
  caption: dynamicValueSchema(caps.caption),
})
export type DocumentData = z.infer<typeof documentSchema>
export const documentDefaults = (): DocumentData => ({
  url: staticValue(''),
  name: staticValue(''),
  caption: staticValue(''),
})
