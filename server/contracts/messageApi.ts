import { z } from 'zod'
import { caps, contactCaps, tooLong } from '../../engine/values/caps'
import { isExternalUrl } from '../../engine/values/url'
import { defineRoute, gid, ok } from './route'

const ofChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/message-api'
const ADDRESS = 'Enter the address of your program (such as https://example.com/messages)'

const state = z.strictObject({
  /** null: it is off */
  channel: z
    .strictObject({
      /** where answers are sent */
      url: z.string(),
      /** why the last one was not taken; null: it was, or there was none */
      problem: z.string().nullable(),
      connected_at: z.string(),
    })
    .nullable(),
  /** where a program sends what a person writes */
  address: z.string(),
  /** whether the chatbot has a published flow, which people talk to */
  published: z.boolean(),
})
export type MessageApiState = z.infer<typeof state>

export const readMessageApi = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'integrations.view' },
  params: ofChatbot,
  answer: state,
})

/** Turns it on, or has answers sent elsewhere. */
export const saveMessageApi = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'integrations.connect' },
  plan: 'api',
  params: ofChatbot,
  body: z.strictObject({
    url: z.string().trim().min(1, ADDRESS).max(caps.url, tooLong(caps.url)).refine(isExternalUrl, ADDRESS),
  }),
  /** the secret that answers are signed with, where it was made now: no other answer has it */
  answer: z.strictObject({ state, secret: z.string().nullable() }),
})

/** Makes a new secret; the one before it signs nothing any more. */
export const renewMessageApiSecret = defineRoute({
  method: 'POST',
  path: `${path}/secret`,
  access: { feature: 'integrations.connect' },
  params: ofChatbot,
  answer: z.strictObject({ secret: z.string() }),
})

/** Conversations stay; what they owe is not sent any more. */
export const removeMessageApi = defineRoute({
  method: 'DELETE',
  path,
  access: { feature: 'integrations.disconnect' },
  params: ofChatbot,
  answer: ok,
})

/** What a person wrote, brought by a program. The same `id` of the same person is the same message. */
export const receiveMessage = defineRoute({
  method: 'POST',
  path: `${path}/messages`,
  access: { feature: 'integrations.connect' },
  apiKey: 'write',
  plan: 'api',
  limit: { by: 'user', most: 600 },
  params: ofChatbot,
  body: z.strictObject({
    /** who writes, as the program knows them: answers come with it */
    from: z.string().trim().min(1, 'Name who writes').max(200, tooLong(200)),
    id: z.string().trim().min(1, 'Give the message an id of its own').max(100, tooLong(100)),
    /** may be empty where something is chosen */
    text: z.string().max(caps.userMessage, tooLong(caps.userMessage)).default(''),
    /** the id of an option that came with the question */
    choice: z.string().max(64).optional(),
    name: z.string().trim().min(1).max(contactCaps.name, tooLong(contactCaps.name)).optional(),
    /** such as en-GB */
    language: z.string().max(35).optional(),
  }),
  /** null: the person is blocked */
  answer: z.strictObject({ conversation: gid.nullable() }),
})
