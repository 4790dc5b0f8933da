import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'
import { emailRule } from '../../engine/values/rules'

/** PRODUCT.md: at most five in each of the fields. */
export const MAX_ADDRESSES = 5

const addresses = z
  .array(z.strictObject({ id: idSchema, address: dynamicValueSchema(caps.mailAddress, emailRule) }))
  .max(MAX_ADDRESSES)

export const sendEmailSchema = z.strictObject({
  /** the address itself is the installation's */
  fromName: dynamicValueSchema(caps.mailAddress),
  to: addresses,
  cc: addresses,
  bcc: addresses,
  replyTo: addresses,
  subject: dynamicValueSchema(caps.mailSubject),
  body: richTextSchema(caps.text),
})
export type SendEmailData = z.infer<typeof sendEmailSchema>
export type Recipient = SendEmailData['to'][number]

export const sendEmailDefaults = (): SendEmailData => ({
  fromName: staticValue(''),
  to: [],
  cc: [],
  bcc: [],
  replyTo: [],
  subject: staticValue(''),
  body: plainRichText(''),
})
