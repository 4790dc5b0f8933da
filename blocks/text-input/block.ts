import { defineBlock } from '../../engine/flow/defineBlock'
import {
  addQuickReplies,
  askInput,
  inputParts,
  inputPorts,
  inputReads,
  inputTexts,
  inputWrites,
} from '../../engine/flow/inputFields'
import { tooLong, tooShort } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'
import { textInputFromDify, textInputFromFlowise } from './fromNodes'
import { textInputFromTypebot } from './import'
import { addMinLength, textInputDefaults, textInputSchema } from './schema'

/**
 * Asks for a text. An empty answer is invalid, and so is one that is too short or too long; after the last attempt it
 * leaves by `invalid` without saving.
 */
export const textInput = defineBlock({
  kind: 'text-input',
  category: 'input',
  title: 'Text input',
  help: 'Asks for a text.',
  schema: textInputSchema,
  defaults: textInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  migrations: [addQuickReplies, addMinLength],
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [textInputFromTypebot, textInputFromDify, textInputFromFlowise],
  *run(data) {
    const { long, minLength, maxLength } = data
    const request = { input: 'text', long, ...(minLength > 1 && { minLength }), maxLength } as const
    const parse = (text: string) => (text.trim().length >= minLength && text.length <= maxLength ? text : null)
    const message = (text: string): string => {
      if (text.trim() === '') return ruleMessages.text
      return text.length > maxLength ? tooLong(maxLength) : tooShort(minLength)
    }
    return yield* askInput(data, request, parse, message)
  },
})
