import { z } from 'zod'
import { dynamicValueSchema, staticValue } from '../../engine/values/dynamicValue'

export const MOST_WORDS = 1_000
export const answers = ['agrees', 'declines'] as const

export const whatsappOptInSchema = z.strictObject({
  answer: z.enum(answers),
  /** what the person was asked */
  question: dynamicValueSchema(MOST_WORDS),
})
export type WhatsappOptInData = z.infer<typeof whatsappOptInSchema>
export const whatsappOptInDefaults = (): WhatsappOptInData => ({ answer: 'agrees', question: staticValue('') })
