import { z } from 'zod'
import { languageCodeSchema } from '../../engine/translations/translation'
import { defineRoute, gid } from './route'

/** Ours: what a model translates well in one answer. */
export const translateCaps = { texts: 20, text: 20_000, characters: 24_000 } as const

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })

/** Which model would translate; null: none is connected. */
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
 * Has the chatbot's model translate texts in marked form (engine/translations/markup.ts): one question, paid as one reply. Nothing is stored: the
 * flow's document is where they go. A text that the model left out, or whose variables and tags it did not keep, comes back as null.
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
      from: languageCodeSchema,
      to: languageCodeSchema,
      texts: z.array(z.string().min(1).max(translateCaps.text)).min(1).max(translateCaps.texts),
    })
    .refine(({ texts }) => texts.reduce((sum, text) => sum + text.length, 0) <= translateCaps.characters, {
      path: ['texts'],
      message: `Must not exceed ${translateCaps.characters} characters in all`,
    }),
  answer: z.strictObject({
    /** in the order of the question */
    texts: z.array(z.string().nullable()),
    credits: z.number(),
  }),
})
