import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts, tooLong } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { extractTypes } from '../../engine/values/extractFields'

export const extractSources = ['conversation', 'text'] as const
export const extractCaps = { fields: 20, name: 100, description: 500, messages: 50 } as const

const plain = (max: number) => z.string().max(max, tooLong(max))

const fieldSchema = z.strictObject({
  id: idSchema,
  name: plain(extractCaps.name),
  type: z.enum(extractTypes),
  /** explains the field to a model; rules ignore it */
  description: plain(extractCaps.description),
  /** only for the type `choice` */
  choices: z.array(z.strictObject({ id: idSchema, label: plain(caps.formChoice) })).max(counts.formChoices),
  saveTo: idSchema.nullable(),
})

export const aiExtractSchema = z.strictObject({
  from: z.enum(extractSources),
  /** for `conversation`: how many of the visitor's messages, newest first */
  messages: z
    .int()
    .min(1, `Must be from 1 to ${extractCaps.messages}`)
    .max(extractCaps.messages, `Must be from 1 to ${extractCaps.messages}`),
  /** for `text` */
  text: dynamicValueSchema(caps.userMessage),
  fields: z.array(fieldSchema).max(extractCaps.fields),
})
export type AiExtractData = z.infer<typeof aiExtractSchema>
export type ExtractedField = AiExtractData['fields'][number]

export const newExtractedField = (id: () => string): ExtractedField => ({
  id: id(),
  name: '',
  type: 'text',
  description: '',
  choices: [],
  saveTo: null,
})

export const aiExtractDefaults = (id: () => string): AiExtractData => ({
  from: 'conversation',
  messages: 10,
  text: staticValue(''),
  fields: [{ ...newExtractedField(id), name: 'Email', type: 'email' }],
})
