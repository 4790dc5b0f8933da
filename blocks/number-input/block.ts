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
import { limitMessage, parseNumber, ruleMessages } from '../../engine/values/rules'
import { numberInputFromTypebot } from './import'
import { numberInputDefaults, numberInputSchema } from './schema'

/** Asks for a number and saves it as one. */
export const numberInput = defineBlock({
  kind: 'number-input',
  category: 'input',
  title: 'Number input',
  help: 'Asks for a number and checks it.',
  schema: numberInputSchema,
  defaults: numberInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  migrations: [addQuickReplies],
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [numberInputFromTypebot],
  *run(data) {
    const limits = {
      integer: data.integer,
      ...(data.min !== null && { min: data.min }),
      ...(data.max !== null && { max: data.max }),
    }
    const message = (text: string): string => {
      const number = parseNumber(text, { integer: data.integer })
      if (number !== null) return limitMessage(limits) ?? ruleMessages.number
      return parseNumber(text) === null ? ruleMessages.number : 'Enter a whole number'
    }
    return yield* askInput(data, { input: 'number', ...limits }, (text) => parseNumber(text, limits), message)
  },
})
