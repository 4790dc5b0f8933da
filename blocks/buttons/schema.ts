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

/** Ids of other ports, and of options from a list. */
export const isReservedId = (id: string): boolean => /^(?:default|no-reply|item-\d+)$/.test(id)

export const buttonOptionSchema = z.strictObject({
  id: idSchema.refine((id) => !isReservedId(id), 'Another exit has this id'),
  label: dynamicValueSchema(caps.label),
  /** saved instead of the label */
  value: dynamicValueSchema(caps.optionValue).optional(),
  /** opens this address instead of answering: such an option has no port */
  url: dynamicValueSchema(caps.url, urlRule).optional(),
  /** shown only while it holds */
  condition: z.strictObject(conditionFields).nullish(),
})
const path = z
  .string()
  .max(PATH_CAP, tooLong(PATH_CAP))
  .refine((text) => text === '' || isValuePath(text), 'Enter a path such as .name or [0]')

export const buttonsSchema = z.strictObject({
  prompt: richTextSchema(caps.text),
  options: z.array(buttonOptionSchema).max(counts.options),
  /** each item of this variable's value is an option, before the others */
  list: z.strictObject({
    variableId: idSchema.nullable(),
    /** paths in an item to its label and to the saved value; empty: the item itself */
    labelPath: path,
    valuePath: path,
  }),
  /** several may be chosen before sending */
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

/** Migrates data from before options could come from a list, and a question could time out. */
export const addListAndListening: Migration = {
  name: 'AddListAndListening',
  up: (data) => ({ ...data, list: noList(), ...listenDefaults() }),
}
