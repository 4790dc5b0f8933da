import { z } from 'zod'
import { caps, contactCaps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { emailRule, urlRule } from '../../engine/values/rules'

export const contactCardSchema = z.strictObject({
  name: dynamicValueSchema(contactCaps.name),
  phone: dynamicValueSchema(contactCaps.phone),
  email: dynamicValueSchema(caps.email, emailRule),
  company: dynamicValueSchema(contactCaps.company),
  url: dynamicValueSchema(caps.url, urlRule),
})
export type ContactCardData = z.infer<typeof contactCardSchema>
export const contactCardDefaults = (): ContactCardData => ({
  name: staticValue(''),
  phone: staticValue(''),
  email: staticValue(''),
  company: staticValue(''),
  url: staticValue(''),
})
