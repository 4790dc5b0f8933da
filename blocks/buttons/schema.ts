import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'
import { urlRule } from '../../engine/values/rules'

export const buttonOptionSchema = z.strictObject({
  id: idSchema,
  label: dynamicValueSchema(caps.label),
  /** what is saved instead of the label */
  value: dynamicValueSchema(caps.optionValue).optional(),
  /** opens this address instead of answering: such an option has no port */
  url: dynamicValueSchema(caps.url, urlRule).optional(),
})
export const buttonsSchema = z.strictObject({
  prompt: richTextSchema(caps.text),
  options: z.array(buttonOptionSchema).max(counts.options),
  /** several may be chosen, then sent */
  multiple: z.boolean(),
  /** the visitor may type instead of choosing */
  typing: z.boolean(),
  placeholder: dynamicValueSchema(caps.placeholder),
  saveTo: idSchema.nullable(),
})
export type ButtonOption = z.infer<typeof buttonOptionSchema>
export type ButtonsData = z.infer<typeof buttonsSchema>

export const buttonsDefaults = (id: () => string): ButtonsData => ({
  prompt: plainRichText(''),
  options: ['Yes', 'No'].map((label) => ({ id: id(), label: staticValue(label) })),
  multiple: false,
  typing: false,
  placeholder: staticValue(''),
  saveTo: null,
})
