import { z } from 'zod'
import { MAX_TEAM } from '../../engine/flow/handOver'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'
import { emailRule } from '../../engine/values/rules'

export const handOffSchema = z.strictObject({
  /** whom it is for, in a word or two */
  team: dynamicValueSchema(caps.label),
  /** who is mailed; none: everybody who may answer visitors */
  to: z.array(z.strictObject({ id: idSchema, address: dynamicValueSchema(caps.mailAddress, emailRule) })).max(MAX_TEAM),
  /** what people of the team read first */
  note: dynamicValueSchema(caps.setVariable),
  /** the variable that holds the visitor's address; it is set when the visitor is asked for it. null: it is looked for */
  emailId: idSchema.nullable(),
  /** asks for the address where none is known */
  prompt: richTextSchema(caps.text),
  /** said to the visitor once the team has been told */
  message: richTextSchema(caps.text),
})
export type HandOffData = z.infer<typeof handOffSchema>

export const PROMPT = 'Where can we answer you? Please give your email address.'

export const handOffDefaults = (): HandOffData => ({
  team: staticValue(''),
  to: [],
  note: staticValue(''),
  emailId: null,
  prompt: plainRichText(PROMPT),
  message: plainRichText(''),
})
