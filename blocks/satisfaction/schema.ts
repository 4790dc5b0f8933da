import { z } from 'zod'
import { listenDefaults, listenFields } from '../../engine/flow/inputFields'
import { idSchema } from '../../engine/flow/schema'
import { caps, counts } from '../../engine/values/caps'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'
import { plainRichText, richTextSchema } from '../../engine/values/richText'

/** SPEC.md 2: satisfaction-rating widgets. */
export const answerTypes = ['rating', 'single', 'multiple', 'text'] as const
/** `emoji` and `text` have named levels; `stars` and `numbers` count. */
export const scales = ['emoji', 'text', 'stars', 'numbers'] as const
export const levelCount = { min: 2, max: 7 } as const
export const pointCount = { min: 2, max: 10 } as const

const optionSchema = z.strictObject({ id: idSchema, label: dynamicValueSchema(caps.label) })

export const satisfactionSchema = z
  .strictObject({
    prompt: richTextSchema(caps.text),
    answer: z.enum(answerTypes),
    scale: z.enum(scales),
    /** for the scales `emoji` and `text`, the worst first: they count from 1 */
    levels: z.array(optionSchema).min(levelCount.min).max(levelCount.max),
    /** the best rating of the scales `stars` and `numbers` */
    points: z.int().min(pointCount.min).max(pointCount.max),
    /** numbers start at 0 instead of 1 */
    zero: z.boolean(),
    /** ratings up to this one leave by `low`; null: there is no such port */
    low: z.int().min(0).max(pointCount.max).nullable(),
    /** for single and several choices */
    options: z.array(optionSchema).max(counts.options),
    placeholder: dynamicValueSchema(caps.placeholder),
    required: z.boolean(),
    saveTo: idSchema.nullable(),
    ...listenFields,
  })
  .superRefine((data, issues) => {
    if (!hasLow(data)) return
    const [first, last] = range(data)
    if ((data.low ?? first) < first || (data.low ?? first) >= last)
      issues.addIssue({ code: 'custom', path: ['low'], message: `Must be between ${first} and ${last - 1}` })
  })
export type ChoiceOption = z.infer<typeof optionSchema>
export type SatisfactionData = z.infer<typeof satisfactionSchema>

export const hasLow = ({ answer, low }: Pick<SatisfactionData, 'answer' | 'low'>): boolean =>
  answer === 'rating' && low !== null

export const isNamed = (scale: SatisfactionData['scale']): boolean => scale === 'emoji' || scale === 'text'

/** The worst rating and the best one. */
export function range({ scale, levels, points, zero }: Omit<SatisfactionData, 'answer'>): [number, number] {
  if (isNamed(scale)) return [1, levels.length]
  return [scale === 'numbers' && zero ? 0 : 1, points]
}

const LEVELS = ['Very bad', 'Bad', 'Okay', 'Good', 'Very good']

export const satisfactionDefaults = (id: () => string): SatisfactionData => ({
  prompt: plainRichText('How was this conversation?'),
  answer: 'rating',
  scale: 'emoji',
  levels: LEVELS.map((label) => ({ id: id(), label: staticValue(label) })),
  points: 5,
  zero: false,
  low: 2,
  options: ['Yes', 'No'].map((label) => ({ id: id(), label: staticValue(label) })),
  placeholder: staticValue(''),
  required: false,
  saveTo: null,
  ...listenDefaults(),
})
