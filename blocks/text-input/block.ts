import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputReads, inputWrites } from '../../engine/flow/inputFields'
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
  ports: (data) => [
    { id: 'next' },
    ...(data.required ? [] : [{ id: 'skip' as const, label: 'Skip', fallback: 'next' as const }]),
    { id: 'invalid', label: 'Invalid', fallback: 'next' },
  ],
  reads: inputReads,
  writes: inputWrites,
  importers: [textInputFromTypebot],
  *run(data) {
    const { long, required, maxLength } = data
    const placeholder = yield* render(data.placeholder)
    const message = maxLength < textInputDefaults().maxLength ? tooLong(maxLength) : ruleMessages.text
    const parse = (text: string) => (text.trim() !== '' && text.length <= maxLength ? text : null)
    const outcome = yield* askInput(data, { input: 'text', long, placeholder, required, maxLength }, parse, message)
    return outcome === 'valid' ? 'next' : outcome === 'skipped' ? 'skip' : 'invalid'
  },
})
