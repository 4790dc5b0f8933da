import { z } from 'zod'
import { defineEffect, failureSchema } from './defineEffect'

/**
 * Classifies a typed text. The engine itself calls it, between blocks; without an answer, the built-in classifier
 * decides.
 */
export const intentsEffect = defineEffect({
  name: 'intents',
  request: z.strictObject({ text: z.string() }),
  result: z.union([
    z.object({
      ok: z.literal(true),
      /** intent triggers by confidence, best first */
      recognised: z.array(z.object({ blockId: z.string(), confidence: z.number().min(0).max(1) })),
    }),
    failureSchema,
  ]),
})
