import { z } from 'zod'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

export const handOffSchema = z.strictObject({
  /** whom it is for, in a word or two */
  team: dynamicValueSchema(caps.label),
  /** what people of the team read first */
  note: dynamicValueSchema(caps.setVariable),
  /** said to the visitor once the team has been told */
  message: richTextSchema(caps.text),
})
export type HandOffData = z.infer<typeof handOffSchema>
export const handOffDefaults = (): HandOffData => ({
  team: staticValue(''),
  note: staticValue(''),
  message: plainRichText(''),
})
