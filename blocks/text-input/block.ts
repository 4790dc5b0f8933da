import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputPorts, inputReads, inputWrites } from '../../engine/flow/inputFields'
import { render } from '../../engine/flow/steps'
import { tooLong } from '../../engine/values/caps'
import { ruleMessages } from '../../engine/values/rules'
import { textInputFromTypebot } from './import'
import { textInputDefaults, textInputSchema } from './schema'

/** Asks for a text. Not valid are an empty answer and one above `maxLength`; after the last attempt it leaves by `invalid`, nothing saved. */
export const textInput = defineBlock({
  kind: 'text-input',
  category: 'input',
  title: 'Text input',
  help: 'Asks the visitor for a text and keeps the answer.',
  schema: textInputSchema,
  defaults: textInputDefaults,
  richTexts: ['prompt', 'retryText'],
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [textInputFromTypebot],
  *run(data) {
    const { long, required, maxLength } = data
    const placeholder = yield* render(data.placeholder)
    const message = maxLength < textInputDefaults().maxLength ? tooLong(maxLength) : ruleMessages.text
    const parse = (text: string) => (text.trim() !== '' && text.length <= maxLength ? text : null)
    return yield* askInput(data, { input: 'text', long, placeholder, required, maxLength }, parse, message)
  },
})
