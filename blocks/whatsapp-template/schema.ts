import { z } from 'zod'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { dynamicValueSchema } from '../../engine/values/dynamicValue'

/** Characters of a value; ours: WhatsApp counts the whole text with its values. */
export const MOST_VALUE = 1_000
/** A template has so many places and buttons at most. */
export const MOST_PLACES = 40
export const MOST_REPLIES = 10

/** Ids of other ports. */
const isReservedId = (id: string): boolean => /^(?:success|failure|no-reply)$/.test(id)

export const whatsappTemplateSchema = z.strictObject({
  /** as WhatsApp knows it; null: none is chosen */
  template: z.strictObject({ name: z.string().min(1).max(512), language: z.string().min(1).max(15) }).nullable(),
  /** what fills its places, as they were when it was chosen */
  values: z
    .array(
      z.strictObject({
        id: idSchema,
        part: z.enum(['header', 'body', 'button']),
        index: z.int().min(0).max(20),
        name: z.string().min(1).max(60),
        kind: z.enum(['text', 'image', 'video', 'document']),
        value: dynamicValueSchema(MOST_VALUE),
      }),
    )
    .max(MOST_PLACES),
  /** its buttons that answer, each with a port of its own */
  replies: z
    .array(
      z.strictObject({
        id: idSchema.refine((id) => !isReservedId(id), 'Another exit has this id'),
        label: z.string().min(1).max(100),
      }),
    )
    .max(MOST_REPLIES),
  saveTo: idSchema.nullable(),
  ...listenFields,
})
export type WhatsappTemplateData = z.infer<typeof whatsappTemplateSchema>
export type TemplateValue = WhatsappTemplateData['values'][number]

export const whatsappTemplateDefaults = (): WhatsappTemplateData => ({
  template: null,
  values: [],
  replies: [],
  saveTo: null,
  ...listenDefaults(),
})
