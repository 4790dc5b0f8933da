import { defineBlock } from '../../engine/flow/defineBlock'
import { askInput, inputParts, inputPorts, inputReads, inputTexts, inputWrites } from '../../engine/flow/inputFields'
import { parsePhone } from '../../engine/values/parsePhone'
import { ruleMessages } from '../../engine/values/rules'
import { phoneInputFromTypebot } from './import'
import { phoneInputDefaults, phoneInputSchema } from './schema'

/** Asks for a phone number and saves it in E.164 (`+4930123456`). */
export const phoneInput = defineBlock({
  kind: 'phone-input',
  category: 'input',
  title: 'Phone input',
  help: 'Asks for a phone number and checks it.',
  schema: phoneInputSchema,
  defaults: phoneInputDefaults,
  richTexts: ['prompt', 'retryText'],
  visitorTexts: inputTexts,
  visitorParts: inputParts,
  ports: inputPorts,
  reads: inputReads,
  writes: inputWrites,
  importers: [phoneInputFromTypebot],
  *run(data) {
    const { country } = data
    return yield* askInput(data, { input: 'phone' }, (text) => parsePhone(text, country), ruleMessages.phone)
  },
})
