import { z } from 'zod'

/** What WhatsApp says of a template of an account: what is not said is null. */
export interface TemplateUpdate {
  businessId: string
  name: string
  language: string
  at: Date
  status: string | null
  reason: string | null
  category: string | null
  quality: string | null
}

const MOST = 5_000
const word = z.string().max(100)
const sentence = z.string().catch('')
const envelope = z.object({ entry: z.array(z.unknown()).max(MOST) })
const entrySchema = z.object({
  id: word,
  time: z.int().min(0).max(1e11).catch(0),
  changes: z.array(z.unknown()).max(MOST),
})
const changeSchema = z.object({
  field: z.enum(['message_template_status_update', 'message_template_quality_update', 'template_category_update']),
  value: z.object({
    message_template_name: z.string().max(512),
    message_template_language: z.string().max(15),
    event: word.optional(),
    reason: sentence,
    rejection_info: z.object({ reason: sentence, recommendation: sentence }).optional().catch(undefined),
    new_category: word.optional(),
    new_quality_score: word.optional(),
  }),
})

/** Reads what a webhook says of templates. What is not known is passed over, part by part. */
export function readTemplateUpdates(body: unknown): TemplateUpdate[] {
  return (envelope.safeParse(body).data?.entry ?? []).flatMap((each) => {
    const entry = entrySchema.safeParse(each).data
    return (entry?.changes ?? []).flatMap((change) => {
      const value = changeSchema.safeParse(change).data?.value
      if (!entry || !value) return []
      const why = value.rejection_info
      const words = why ? [why.reason, why.recommendation].filter(Boolean).join(' ') : value.reason
      return [
        {
          ...{ businessId: entry.id, at: new Date(entry.time * 1_000) },
          ...{ name: value.message_template_name, language: value.message_template_language },
          status: value.event ?? null,
          reason: words === '' || words === 'NONE' ? null : words.slice(0, 500),
          category: value.new_category ?? null,
          quality: value.new_quality_score ?? null,
        },
      ]
    })
  })
}
