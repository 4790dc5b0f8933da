import { z } from 'zod'
import { idSchema } from '../../engine/flow/schema'
import { actionCaps, tooLong } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'

/**
 * SPEC.md 9: intent sample phrases up to 50. The lengths of name, description and phrase are ours, the same as those of
 * agent actions.
 */
export const MAX_PHRASES = 50
const MAX_PHRASE = 250

const line = (max: number) => z.string().max(max, tooLong(max))

export const intentSchema = z.strictObject({
  name: line(actionCaps.name).refine((name) => name.trim() !== '', { message: ruleMessages.text }),
  description: line(actionCaps.description),
  phrases: z
    .array(
      z.strictObject({
        id: idSchema,
        text: line(MAX_PHRASE).refine((phrase) => phrase.trim() !== '', { message: ruleMessages.text }),
      }),
    )
    .max(MAX_PHRASES),
  /** listened for at every interruptible question; otherwise only where a question names this intent */
  global: z.boolean(),
  /** the interrupted question is asked again at its end */
  resumes: z.boolean(),
  saveName: idSchema.nullable(),
  saveConfidence: idSchema.nullable(),
})
export type IntentData = z.infer<typeof intentSchema>
export const newPhrase = (id: () => string) => ({ id: id(), text: '' })
export const intentDefaults = (): IntentData => ({
  name: 'New intent',
  description: '',
  phrases: [],
  global: true,
  resumes: true,
  saveName: null,
  saveConfidence: null,
})
