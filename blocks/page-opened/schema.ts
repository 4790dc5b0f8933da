import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts, tooLong } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'

export const pageRules = ['is', 'contains', 'starts', 'wildcard'] as const
/** Ours: by then the visitor has left. */
export const MAX_DELAY = 3600

export const pageOpenedSchema = z.strictObject({
  /** one match is enough */
  pages: z
    .array(
      z.strictObject({
        id: idSchema,
        rule: z.enum(pageRules),
        url: z
          .string()
          .max(caps.url, tooLong(caps.url))
          .refine((url) => url.trim() !== '', { message: ruleMessages.text }),
      }),
    )
    .min(1)
    .max(counts.options),
  /** seconds on the page before it starts */
  delay: z.int().min(0).max(MAX_DELAY),
  onceAVisit: z.boolean(),
  /** opens the chat, or shows the first message beside the closed one */
  shows: z.enum(['open', 'teaser']),
  saveUrl: idSchema.nullable(),
})
export type PageOpenedData = z.infer<typeof pageOpenedSchema>
export type PageRule = PageOpenedData['pages'][number]

export const newPage = (id: () => string): PageRule => ({ id: id(), rule: 'contains', url: '/pricing' })
export const pageOpenedDefaults = (id: () => string): PageOpenedData => ({
  pages: [newPage(id)],
  delay: 0,
  onceAVisit: true,
  shows: 'teaser',
  saveUrl: null,
})
