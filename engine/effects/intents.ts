import { z } from 'zod'
import { defineEffect, failureSchema } from './defineEffect'

/** What a typed text means. The engine calls it itself, between blocks; where it has no answer, the words alone decide. */
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
