import { z } from 'zod'
import { defineRoute, gid } from './route'

/**
 * How far the passages of a project's chatbots are embedded by the model in use. Until all of a chatbot's are, it
 * answers by words.
 */
export const readEmbeddings = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/embeddings',
  access: { feature: 'ai.view' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({
    /** null: no embedding model is in use */
    model: z.string().nullable(),
    embedded: z.int(),
    passages: z.int(),
  }),
})
