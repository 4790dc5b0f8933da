import { z } from 'zod'
import { formFieldTypes } from '../../engine/flow/conversation'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

export const formFieldSchema = z.strictObject({
  id: idSchema,
  label: dynamicValueSchema(caps.formLabel),
  type: z.enum(formFieldTypes),
  required: z.boolean(),
  placeholder: dynamicValueSchema(caps.placeholder),
  /** only for `select` and `multiple` */
  choices: z
    .array(z.strictObject({ id: idSchema, label: dynamicValueSchema(caps.formChoice) }))
    .max(counts.formChoices),
  saveTo: idSchema.nullable(),
})
export const formSchema = z.strictObject({
  prompt: richTextSchema(caps.text),
  fields: z.array(formFieldSchema).max(counts.formFields),
  submitLabel: dynamicValueSchema(caps.label),
  /** otherwise the whole form may be skipped */
  required: z.boolean(),
  ...listenFields,
})
export type FormField = z.infer<typeof formFieldSchema>
export type FormData = z.infer<typeof formSchema>

export const newFormField = (id: () => string): FormField => ({
  id: id(),
  label: staticValue(''),
  type: 'text',
  required: true,
  placeholder: staticValue(''),
  choices: [],
  saveTo: null,
})
export const formDefaults = (id: () => string): FormData => ({
  prompt: plainRichText(''),
  fields: [
    { ...newFormField(id), label: staticValue('Name') },
    { ...newFormField(id), label: staticValue('Email'), type: 'email' },
  ],
  submitLabel: staticValue('Submit'),
  required: true,
  ...listenDefaults(),
})

export const hasChoices = ({ type }: Pick<FormField, 'type'>): boolean => type === 'select' || type === 'multiple'

/** A form without required fields may be skipped, too. */
export const isSkippable = ({ required, fields }: FormData): boolean =>
  !required || fields.every((field) => !field.required)
