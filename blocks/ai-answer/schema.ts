import { z } from 'zod'
import { responseSources } from '../../engine/flow/conversation'
import { idSchema } from '../../engine/flow/schema'
import { aiLanguages } from '../../engine/values/aiLanguages'
import { caps } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'

/** SPEC.md 9. */
export const INSTRUCTIONS_CAP = 20_000

const isRounded = (value: number): boolean => Math.abs(value * 10 - Math.round(value * 10)) < 1e-9

export const aiAnswerSchema = z.strictObject({
  source: z.enum(responseSources),
  /** empty: the visitor's last message */
  question: dynamicValueSchema(caps.userMessage),
  instructions: dynamicValueSchema(INSTRUCTIONS_CAP),
  /** of the model catalogue; null: the chatbot's */
  model: z.int().min(1).nullable(),
  /** null: the chatbot's */
  language: z.enum(aiLanguages).nullable(),
  /** SPEC.md 9: one decimal; null: the chatbot's */
  temperature: z
    .number()
    .min(0, 'Must be from 0 to 1')
    .max(1, 'Must be from 0 to 1')
    .refine(isRounded, 'Use at most one decimal')
    .nullable(),
  say: z.boolean(),
  /** show it while it is written */
  stream: z.boolean(),
  /** offers the nearest questions if nothing is found; only for knowledge that is said */
  suggest: z.boolean(),
  saveTo: idSchema.nullable(),
  /** only for knowledge: titles and addresses of the cited sources */
  saveSources: idSchema.nullable(),
})
export type AiAnswerData = z.infer<typeof aiAnswerSchema>

export const aiAnswerDefaults = (): AiAnswerData => ({
  source: 'knowledge',
  question: staticValue(''),
  instructions: staticValue(''),
  model: null,
  language: null,
  temperature: null,
  say: true,
  stream: true,
  suggest: true,
  saveTo: null,
  saveSources: null,
})
