import { z } from 'zod'
import { MAX_TEAM } from '../../engine/flow/handOver'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'
import { emailRule } from '../../engine/values/rules'

export const handOffSchema = z.strictObject({
  /** who it is for, in a word or two */
  team: dynamicValueSchema(caps.label),
  /** who gets a mail; empty: everybody who may answer visitors */
  to: z.array(z.strictObject({ id: idSchema, address: dynamicValueSchema(caps.mailAddress, emailRule) })).max(MAX_TEAM),
  /** what the team reads first */
  note: dynamicValueSchema(caps.setVariable),
  /** the variable of the visitor's address, set when the visitor is asked; null: search the variables */
  emailId: idSchema.nullable(),
  /** asks for an unknown address */
  prompt: richTextSchema(caps.text),
  /** sent to the visitor after the team was notified */
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
