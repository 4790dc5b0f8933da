import { z } from 'zod'
import { defineRoute, gid, ok } from './route'
import { whatsappKeysSchema } from './whatsapp'

const ofChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/whatsapp/signup'

/**
 * Where a person consents at Meta that this installation's app uses their number (Embedded Signup, by redirect).
 * `conflict` where the installation has no app.
 */
export const beginSignup = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'whatsapp.connect' },
  plan: 'whatsapp',
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  answer: z.strictObject({ url: z.string() }),
})

/** A number that somebody shared: which account it is in, and what people see. */
const sharedNumberSchema = z.strictObject({
  business_id: z.string(),
  number_id: z.string(),
  phone_number: z.string(),
  name: z.string(),
})
export type SharedNumber = z.infer<typeof sharedNumberSchema>

/**
 * Takes what Meta sent the person back with, from the same account within ten minutes. `grant` lets the same person
 * connect one of the numbers, within the same time. `conflict` for anything else.
 */
export const finishSignup = defineRoute({
  method: 'POST',
  path: `${path}/finish`,
  access: { feature: 'whatsapp.connect' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: z.strictObject({ state: z.string().max(2_000), code: z.string().max(4_000) }),
  answer: z.strictObject({ grant: z.string(), numbers: z.array(sharedNumberSchema) }),
})

/** Connects a number that was shared, as its values by hand would. */
export const connectSignup = defineRoute({
  method: 'POST',
  path: `${path}/connect`,
  access: { feature: 'whatsapp.connect' },
  plan: 'whatsapp',
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: whatsappKeysSchema
    .pick({ business_id: true, number_id: true, pin: true })
    .extend({ grant: z.string().max(4_000) }),
  answer: ok,
})
