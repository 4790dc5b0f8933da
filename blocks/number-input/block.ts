import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputPorts, inputReads, inputWrites } from '../../engine/flow/inputFields'
import { render } from '../../engine/flow/steps'
import { parseNumber, ruleMessages } from '../../engine/values/rules'
import { numberInputFromTypebot } from './import'
import { numberInputDefaults, numberInputSchema } from './schema'

/** Asks for a number and keeps it as one. */
export const numberInput = defineBlock({
  kind: 'number-input',
  category: 'input',
  title: 'Number input',
  help: 'Asks the visitor for a number and checks it.',
  schema: numberInputSchema,
  defaults: numberInputDefaults,
  richTexts: ['prompt', 'retryText'],
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
    const placeholder = yield* render(data.placeholder)
    const request = { input: 'number', placeholder, required: data.required, ...limits } as const
    return yield* askInput(data, request, (text) => parseNumber(text, limits), ruleMessages.number)
  },
})
