import { z } from 'zod'
import { widgetLanguages } from '../../engine/values/languages'
import { defineRoute, gid } from './route'

/** Our own limits: what a model translates well in one answer. */
export const translateCaps = { texts: 20, text: 20_000, characters: 24_000 } as const

const code = z.enum(widgetLanguages.map(({ code }) => code))
const inChatbot = z.strictObject({ pgid: gid, cgid: gid })

/** The model that would translate; null: none is connected. */
export const readTranslator = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/translator',
  access: { feature: 'builder.view' },
  params: inChatbot,
  answer: z.strictObject({
    model: z.strictObject({ name: z.string(), credits: z.number() }).nullable(),
  }),
})

/**
 * Translates texts with markup (engine/translations/markup.ts) by the chatbot's model: one request, charged as one
 * reply. Stores nothing: translations are stored in the flow's document. A text that the model omitted, or whose
 * variables and tags it changed, is null.
 */
export const translateTexts = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/translator',
  access: { feature: 'builder.update' },
  load: 'turn',
  limit: { by: 'user', most: 120 },
  params: inChatbot,
  body: z
    .strictObject({
      from: code,
      to: code,
      texts: z
        .array(z.string().min(1, 'Enter a text').max(translateCaps.text))
        .min(1, 'Enter a text')
        .max(translateCaps.texts),
    })
    .refine(({ texts }) => texts.reduce((sum, text) => sum + text.length, 0) <= translateCaps.characters, {
      path: ['texts'],
      message: `Must not exceed ${translateCaps.characters} characters in all`,
    }),
  answer: z.strictObject({
    /** in the order of the request */
    texts: z.array(z.string().nullable()),
    credits: z.number(),
  }),
})
