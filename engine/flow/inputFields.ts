import { z } from 'zod'
import { caps, counts } from '../values/caps'
import { dynamicValueSchema, dynamicValueVariables, staticValue } from '../values/dynamicValue'
import type { Json } from '../values/json'
import { plainRichText, richTextSchema, richTextToString, richTextVariables } from '../values/richText'
import type { Port } from './defineBlock'
import type { InputRequest, Step } from './effects'
import { idSchema } from './schema'
import { ask, say, setVariable } from './steps'

/** The fields that every input kind has (PRODUCT.md, blocks). `attempts` counts the times that it asks, the first included. */
export const inputFields = {
  prompt: richTextSchema(caps.text),
  placeholder: dynamicValueSchema(caps.placeholder),
  saveTo: idSchema.nullable(),
  required: z.boolean(),
  retryText: richTextSchema(caps.text),
  attempts: z.int().min(1).max(counts.attempts),
}

export type InputFields = z.infer<z.ZodObject<typeof inputFields>>

export const inputDefaults = (retryText: string): InputFields => ({
  prompt: plainRichText(''),
  placeholder: staticValue(''),
  saveTo: null,
  required: true,
  retryText: plainRichText(retryText),
  attempts: 3,
})

export const inputReads = (data: InputFields): string[] => [
  ...richTextVariables(data.prompt),
  ...dynamicValueVariables(data.placeholder),
  ...richTextVariables(data.retryText),
]

export const inputWrites = (data: InputFields): string[] => (data.saveTo ? [data.saveTo] : [])

type InputPort = 'next' | 'skip' | 'invalid'

/** The ways out that every input kind has; skipping is one where the answer is optional. */
export const inputPorts = ({ required }: InputFields): Port<InputPort>[] => [
  { id: 'next' },
  ...(required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
  { id: 'invalid', label: 'Invalid', fallback: 'next' },
]

/**
 * Asks until the answer is valid, and saves it. Every kind of input has this one course: prompt, answer, at an invalid one
 * the retry text (`message` when that is empty) and again, at most `attempts` times in all.
 * @param parse the answer to save, or null when it is not valid
 * @returns the port to leave by; an optional input takes an empty answer for a skip
 */
export function* askInput(
  data: InputFields,
  request: InputRequest,
  parse: (text: string) => Json,
  message: string,
): Step<InputPort> {
  yield* say(data.prompt)
  const retryText = richTextToString(data.retryText, () => 'chip').trim() ? data.retryText : plainRichText(message)
  for (let attempt = 1; ; attempt++) {
    const reply = yield* ask(request)
    const text = reply.type === 'text' ? reply.text : ''
    if (!data.required && reply.type !== 'choice' && text.trim() === '') return 'skip'
    const value = parse(text)
    if (value !== null) {
      if (data.saveTo) yield* setVariable(data.saveTo, value)
      return 'next'
    }
    if (attempt >= data.attempts) return 'invalid'
    yield* say(retryText)
  }
}
