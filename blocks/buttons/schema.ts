import { z } from 'zod'
import type { Migration } from '../../engine/flow/defineBlock'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts, tooLong } from '../../engine/values/caps'
import { conditionFields } from '../../engine/values/comparison'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'
import { urlRule } from '../../engine/values/rules'
import { isValuePath, PATH_CAP } from '../../engine/values/valuePath'

/** Ids that other exits have, and those of options that come from a list. */
export const isReservedId = (id: string): boolean => /^(?:default|no-reply|item-\d+)$/.test(id)

export const buttonOptionSchema = z.strictObject({
  id: idSchema.refine((id) => !isReservedId(id), 'Another exit has this id'),
  label: dynamicValueSchema(caps.label),
  /** what is saved instead of the label */
  value: dynamicValueSchema(caps.optionValue).optional(),
  /** opens this address instead of answering: such an option has no port */
  url: dynamicValueSchema(caps.url, urlRule).optional(),
  /** offered only while it holds */
  condition: z.strictObject(conditionFields).nullish(),
})
const path = z
  .string()
  .max(PATH_CAP, tooLong(PATH_CAP))
  .refine((text) => text === '' || isValuePath(text), 'Enter a path such as .name or [0]')

export const buttonsSchema = z.strictObject({
  prompt: richTextSchema(caps.text),
  options: z.array(buttonOptionSchema).max(counts.options),
  /** each item of this variable's value is an option too, in front of the others */
  list: z.strictObject({
    variableId: idSchema.nullable(),
    /** where in an item its label is, and what is saved; empty: the item itself */
    labelPath: path,
    valuePath: path,
  }),
  /** several may be chosen, then sent */
  multiple: z.boolean(),
  /** the visitor may type instead of choosing */
  typing: z.boolean(),
  placeholder: dynamicValueSchema(caps.placeholder),
  saveTo: idSchema.nullable(),
  ...listenFields,
})
export type ButtonOption = z.infer<typeof buttonOptionSchema>
export type ButtonsData = z.infer<typeof buttonsSchema>

const noList = (): ButtonsData['list'] => ({ variableId: null, labelPath: '', valuePath: '' })

export const buttonsDefaults = (id: () => string): ButtonsData => ({
  prompt: plainRichText(''),
  options: ['Yes', 'No'].map((label) => ({ id: id(), label: staticValue(label) })),
  list: noList(),
  multiple: false,
  typing: false,
  placeholder: staticValue(''),
  saveTo: null,
  ...listenDefaults(),
})

/** Brings what was stored before options could come from a list, and before a question could go without a reply. */
export const addListAndListening: Migration = {
  name: 'AddListAndListening',
  up: (data) => ({ ...data, list: noList(), ...listenDefaults() }),
}
